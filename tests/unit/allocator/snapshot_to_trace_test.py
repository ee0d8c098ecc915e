"""Snapshots made by hand, pickled here, through sim/allocator/snapshot_to_trace.py."""

import io
import json
import os
import pickle
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../sim/allocator"))
import snapshot_to_trace as script  # noqa: E402


def entry(action, addr, size, time, stream=0):
    return {"action": action, "addr": addr, "size": size, "stream": stream, "time_us": time,
            "frames": []}


def snapshot(entries, segments=()):
    return {"segments": list(segments), "device_traces": [[], entries]}


def segment(address, size, blocks, stream=0):
    return {"device": 1, "address": address, "total_size": size, "stream": stream,
            "segment_type": "large", "blocks": blocks}


def converted(data):
    trace = script.convert(data, 1, "test")
    return json.loads(script.to_text(trace))


class Convert(unittest.TestCase):
    def test_allocations_frees_and_segments(self):
        trace = converted(snapshot([
            entry("segment_alloc", 4096, 1000, 50),
            entry("alloc", 4096, 700, 50),
            entry("free_requested", 4096, 700, 60),
            entry("free_completed", 4096, 700, 60),
            entry("alloc", 4096, 800, 70, stream=9),
            entry("oom", 123, 456, 71),
        ], [segment(4096, 1000, [{"size": 1000, "requested_size": 800,
                                  "state": "active_allocated"}])]))
        self.assertEqual(trace["format"], "heddle.allocator-trace/1")
        self.assertEqual(trace["reserved_before"], 0)
        self.assertEqual(trace["initial_allocations"], 0)
        self.assertEqual(trace["events"], [
            ["segment_alloc", 1000, 0], ["alloc", 0, 700, 0, 0], ["free", 0, 10],
            ["alloc", 1, 800, 9, 20]])

    def test_what_was_alive_before_is_rebuilt(self):
        """300 is freed without an alloc; 100 outlives the trace; its segments were there before."""
        trace = converted(snapshot(
            [entry("free_requested", 300, 33, 5), entry("free_completed", 300, 33, 5),
             entry("segment_free", 300, 50, 6)],
            [segment(100, 64, [{"address": 100, "size": 20, "requested_size": 11,
                                "state": "active_allocated"},
                               {"address": 120, "size": 44, "state": "inactive"}], stream=4)]))
        self.assertEqual(trace["initial_allocations"], 2)
        self.assertEqual(trace["reserved_before"], 64 + 50)
        self.assertEqual(trace["events"], [
            ["alloc", 0, 11, 4, 0], ["alloc", 1, 33, 0, 0], ["free", 1, 0],
            ["segment_free", 50, 1]])

    def test_a_free_that_completes_later_waits_for_another_stream(self):
        """Completed in the order 2, 1: one stream cannot say that, so there are two."""
        trace = converted(snapshot([
            entry("alloc", 1, 10, 0), entry("alloc", 2, 20, 0), entry("alloc", 3, 30, 0),
            entry("free_requested", 1, 10, 1), entry("free_requested", 2, 20, 2),
            entry("free_requested", 3, 30, 3),
            entry("free_completed", 2, 20, 7), entry("free_completed", 1, 10, 9),
        ]))
        self.assertEqual(trace["events"][3:], [
            ["free", 0, 1, [1, 9]], ["free", 1, 2, [2, 7]], ["free", 2, 3, [1, 10]]])

    def test_entries_without_times_count(self):
        entries = [entry("alloc", 1, 10, 0), entry("alloc", 2, 10, 0)]
        for e in entries:
            del e["time_us"]
        self.assertEqual([e[-1] for e in converted(snapshot(entries))["events"]], [0, 1])

    def test_the_busiest_device_is_the_default(self):
        self.assertEqual(script.busiest_device(snapshot([entry("alloc", 1, 10, 0)])), 1)


class Pickles(unittest.TestCase):
    def test_data_is_read(self):
        data = snapshot([entry("alloc", 1, 10, 0)])
        self.assertEqual(script.DataOnly(io.BytesIO(pickle.dumps(data))).load(), data)

    def test_classes_are_refused(self):
        with self.assertRaises(pickle.UnpicklingError):
            script.DataOnly(io.BytesIO(pickle.dumps({"a": print}))).load()


if __name__ == "__main__":
    unittest.main()
