"""Every header compiles alone: its includes are complete, in any order.

headers.py COMPILER [FLAGS that find Qt]
"""

import sys
from architecture import QT_PLACES
from parallel import run_all
from sources import files, report

OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I.", "-x", "c++",
           '-DHEDDLE_SOURCE_DIR="."']  # as tests/CMakeLists.txt defines it


def main():
    compiler, *qt = sys.argv[1:]
    # Without Qt the desktop is not built either.
    headers = [n for n in files() if n.endswith(".h") and (qt or not n.startswith(QT_PLACES))]
    # Through an include, since #pragma once in a main file is itself a warning.
    commands = [[compiler, *OPTIONS, *(qt if name.startswith(QT_PLACES) else []), "-include", name, "/dev/null"] for name in headers]
    results = run_all(commands, limit_s=1200)
    problems = [f"{name} does not compile alone:\n{output}"
                for name, (finished, status, output) in zip(headers, results)
                if status != 0 or not finished]
    report(problems, f"{len(headers)} headers compiled alone")


if __name__ == "__main__":
    main()
