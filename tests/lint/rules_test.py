"""The lint tests find what they claim to find."""

import unittest
import architecture
import text_rules

TABLE = {"base": [], "engine": ["base"], "io": ["engine"], "hw_models": ["io"]}


class Architecture(unittest.TestCase):
    def includes(self, name, header):
        return architecture.check(name, f'#include "{header}"\n', TABLE)

    def test_reads_both_kinds_of_table(self):
        text = "heddle_module(io heddle_run x::x)\n" \
               "target_link_libraries(heddle_cli PUBLIC heddle_options heddle_io y::y)\n"
        self.assertEqual(architecture.parse_links(text), {"io": ["run"], "cli": ["io"]})

    def test_follows_links_downwards_only(self):
        self.assertEqual(self.includes("sim/io/a.cpp", "sim/base/b.h"), [])
        self.assertEqual(len(self.includes("sim/engine/a.cpp", "sim/io/b.h")), 1)
        self.assertEqual(len(self.includes("sim/io/a.cpp", "hw_models/catalog.h")), 1)

    def test_confines_third_parties(self):
        self.assertEqual(self.includes("sim/io/a.cpp", "nlohmann/json.hpp"), [])
        self.assertEqual(len(self.includes("sim/io/a.h", "nlohmann/json.hpp")), 1)
        self.assertEqual(len(self.includes("sim/engine/a.cpp", "boost/graph/x.hpp")), 1)
        self.assertEqual(len(self.includes("sim/io/a.cpp", "cuda_runtime.h")), 1)
        self.assertEqual(len(self.includes("sim/io/a.cpp", "QString")), 1)
        self.assertEqual(self.includes("gui/models/a.h", "QString"), [])

    def test_names_a_cycle(self):
        cycle = architecture.find_cycle({"a": ["b"], "b": ["c"], "c": ["b"]})
        self.assertEqual(cycle, ["b", "c", "b"])
        self.assertIsNone(architecture.find_cycle(TABLE))


class Text(unittest.TestCase):
    def library(self, line):
        return len(text_rules.check_cpp("sim/engine/a.cpp", line + "\n"))

    def test_finds_what_a_library_must_not_do(self):
        for line in ("std::cout << 1;", "printf(\"x\");", "std::exit(3);", "abort();",
                     "getenv(\"X\");", "auto t = std::chrono::steady_clock::now();",
                     "assert(x);", "using namespace std;"):
            self.assertEqual(self.library(line), 1, line)

    def test_leaves_other_words_alone(self):
        for line in ("// exit(1) is forbidden", "auto s = \"abort()\";", "app.exit(error);",
                     "std::snprintf(b, n, \"x\");", "1'000; f('a');", "static_assert(true);"):
            self.assertEqual(self.library(line), 0, line)

    def test_hashed_containers_may_be_asked_but_not_walked(self):
        declared = "std::unordered_map<int, int> seen_;\n"
        self.assertEqual(self.library(declared + "seen_.find(3);"), 0)
        self.assertEqual(self.library(declared + "for (auto& x : seen_) f(x);"), 1)

    def test_finds_paths_of_a_machine(self):
        self.assertEqual(len(text_rules.check_text("README.md", "see " + "/home/" + "me/x")), 1)
        self.assertEqual(text_rules.check_text("README.md", "see sim/home/x, $HOME/work"), [])


if __name__ == "__main__":
    unittest.main()
