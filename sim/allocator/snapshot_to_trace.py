#!/usr/bin/env python3
"""A PyTorch memory snapshot as a trace for `heddle replay` (heddle.allocator-trace/1).

    torch.cuda.memory._record_memory_history(max_entries=100_000)
    ...; torch.cuda.memory._dump_snapshot("snapshot.pickle")
    python3 snapshot_to_trace.py snapshot.pickle -o trace.json

Standard library only. The pickle is read with every class refused, so it can hold data but run
nothing. What was alive when recording began is rebuilt from what is freed without having been
allocated and from the segments at the end; such allocations stand first, in the order of their
addresses, and their places are the replay's, not the recorded ones.
"""

import argparse
import json
import pickle
import sys

FORMAT = "heddle.allocator-trace/1"
GIVEN = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}


class DataOnly(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"a snapshot holds plain data, not {module}.{name}")


def busiest_device(snapshot):
    traces = snapshot.get("device_traces", [])
    return max(range(len(traces)), key=lambda d: len(traces[d]), default=0)


def entries_of(snapshot, device):
    """The device's entries with microseconds since the first; their index where none are recorded."""
    traces = snapshot.get("device_traces", [])
    entries = traces[device] if device < len(traces) else []
    start = entries[0].get("time_us", 0) if entries else 0
    latest, timed = 0, []
    for index, entry in enumerate(entries):
        # Entries are ordered; their clock may step back by a rounding.
        latest = max(latest, entry["time_us"] - start if "time_us" in entry else index)
        timed.append((entry, latest))
    return timed


def alive_at_start(entries, segments):
    """[(address, bytes, stream)] of blocks that the trace does not allocate, by address."""
    alive, requested, found = set(), set(), {}
    for entry, _ in entries:
        action, address = entry["action"], entry["addr"]
        if action == "alloc":
            alive.add(address)
        elif action == "free_requested":
            if address not in alive:
                found[address] = (entry["size"], entry["stream"])
            alive.discard(address)
            requested.add(address)
        elif action == "free_completed":
            if address not in requested:  # it was requested before the trace began
                found[address] = (entry["size"], entry["stream"])
            requested.discard(address)
    for segment in segments:
        address = segment["address"]
        for block in segment["blocks"]:
            at = block.get("address", address)
            if block["state"] == "active_allocated" and at not in alive:
                found[at] = (block.get("requested_size", block["size"]), segment["stream"])
            address = at + block["size"]
    return sorted((address, *rest) for address, rest in found.items() if rest[0] > 0)


def completions(entries):
    """{index of a free_requested: when its block was free}; those that were at once are left out."""
    waiting, until = {}, {}
    for index, (entry, time) in enumerate(entries):
        if entry["action"] == "free_requested":
            waiting[entry["addr"]] = index
        elif entry["action"] == "free_completed" and entry["addr"] in waiting:
            asked = waiting.pop(entry["addr"])
            if index != asked + 1:
                until[asked] = time
    end = entries[-1][1] + 1 if entries else 0
    return until | {asked: end for asked in waiting.values()}


class OtherStreams:
    """Made-up streams for uses whose own is not recorded: on each, events end in order."""

    def __init__(self, first):
        self.first, self.last = first, []

    def take(self, until):
        for number, last in enumerate(self.last):
            if last <= until:
                self.last[number] = until
                return self.first + number
        self.last.append(until)
        return self.first + len(self.last) - 1


def convert(snapshot, device, source):
    entries = entries_of(snapshot, device)
    segments = [s for s in snapshot.get("segments", []) if s.get("device", 0) == device]
    streams = {entry.get("stream", 0) for entry, _ in entries} | {s["stream"] for s in segments}
    others, until = OtherStreams(max(streams, default=0) + 1), completions(entries)
    ids, events = {}, []
    for address, size, stream in alive_at_start(entries, segments):
        ids[address] = len(ids)
        events.append(["alloc", ids[address], size, stream, 0])
    initial = count = len(events)
    given = 0
    for index, (entry, time) in enumerate(entries):
        action, address = entry["action"], entry["addr"]
        if action == "alloc" and entry["size"] > 0:
            ids[address] = count
            events.append(["alloc", count, entry["size"], entry["stream"], time])
            count += 1
        elif action in ("free_requested", "free_completed") and address in ids:
            event = ["free", ids.pop(address), time]
            if index in until:
                event.append([others.take(until[index]), until[index]])
            events.append(event)
        elif action in GIVEN:
            given += GIVEN[action] * entry["size"]
            name = "segment_alloc" if GIVEN[action] > 0 else "segment_free"
            events.append([name, entry["size"], time])
    before = sum(s["total_size"] for s in segments) - given
    return {"format": FORMAT, "source": source, "initial_allocations": initial,
            "reserved_before": max(before, 0), "events": events}


def to_text(trace):
    """One event a line."""
    head = {key: value for key, value in trace.items() if key != "events"}
    lines = ",\n".join(json.dumps(event) for event in trace["events"])
    return json.dumps(head)[:-1] + ', "events": [\n' + lines + "\n]}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("snapshot", help="pickle written by torch.cuda.memory._dump_snapshot()")
    parser.add_argument("--device", type=int, help="its number; default: the one with most entries")
    parser.add_argument("-o", "--output", help="default: standard output")
    options = parser.parse_args()
    try:
        with open(options.snapshot, "rb") as file:
            snapshot = DataOnly(file).load()
    except (OSError, pickle.UnpicklingError, EOFError) as problem:
        sys.exit(f"{options.snapshot}: {problem}")
    device = busiest_device(snapshot) if options.device is None else options.device
    text = to_text(convert(snapshot, device, f"device {device} of {options.snapshot}"))
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
