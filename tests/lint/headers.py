"""Every header compiles alone: its includes are complete, in any order.

headers.py COMPILER [qt:FLAG that finds Qt]... [mpi:FLAG that finds MPI]...
"""

import sys
from architecture import QT_PLACES
from parallel import run_all
from sources import files, report

OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I.", "-x", "c++",
           '-DHEDDLE_SOURCE_DIR="."']  # as tests/CMakeLists.txt defines it


LIBRARIES = {"qt:": QT_PLACES, "mpi:": ("validator/mpi/",)}  # and where their headers may be


def flags_of(name, given):
    """Flags that find what the header may include; None where that library is not installed."""
    found = []
    for library, places in LIBRARIES.items():
        if not name.startswith(places):
            continue
        own = [flag[len(library):] for flag in given if flag.startswith(library)]
        if not own:
            return None  # what needs it is not built either
        found += own
    return found


def main():
    compiler, *given = sys.argv[1:]
    flags = {n: flags_of(n, given) for n in files() if n.endswith(".h")}
    headers = [n for n, own in flags.items() if own is not None]
    # Through an include, since #pragma once in a main file is itself a warning.
    commands = [[compiler, *OPTIONS, *flags[name], "-include", name, "/dev/null"]
                for name in headers]
    results = run_all(commands, limit_s=1200)
    problems = [f"{name} does not compile alone:\n{output}"
                for name, (finished, status, output) in zip(headers, results)
                if status != 0 or not finished]
    report(problems, f"{len(headers)} headers compiled alone")


if __name__ == "__main__":
    main()
