"""Every header compiles alone: its includes are complete, in any order.

headers.py COMPILER
"""

import sys
from parallel import run_all
from sources import files, report

OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I.", "-x", "c++",
           '-DHEDDLE_SOURCE_DIR="."']  # as tests/CMakeLists.txt defines it


def main():
    compiler = sys.argv[1]
    headers = [n for n in files() if n.endswith(".h")]
    # Through an include, since #pragma once in a main file is itself a warning.
    commands = [[compiler, *OPTIONS, "-include", name, "/dev/null"] for name in headers]
    results = run_all(commands, limit_s=1200)
    problems = [f"{name} does not compile alone:\n{output}"
                for name, (finished, status, output) in zip(headers, results)
                if status != 0 or not finished]
    report(problems, f"{len(headers)} headers compiled alone")


if __name__ == "__main__":
    main()
