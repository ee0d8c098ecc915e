"""Counts the instructions of the benchmarks and compares them with the stored ones.

    instructions.py PROGRAM [--update]

Time depends on the machine and its other work, instructions hardly do: valgrind counts them, on a
processor of its own making. A ratio above 1.1 fails. What they are of: g++ 12, Release, Debian 12.
"""

import pathlib
import re
import shutil
import subprocess
import sys

STORED = pathlib.Path(__file__).with_name("instructions.txt")
LIMIT = 1.1
SKIPPED = 77


def stored():
    """[(count, size, workload)]"""
    lines = [line.split(maxsplit=2) for line in STORED.read_text().splitlines() if line]
    return [(int(count), size, name) for count, size, name in lines]


def count(program, name, size):
    run = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                          "--cachegrind-out-file=/dev/null", program, "--once", name, size],
                         capture_output=True, text=True, check=True)
    return int(re.search(r"I +refs: +([0-9,]+)", run.stderr).group(1).replace(",", ""))


def main():
    program = sys.argv[1]
    if not shutil.which("valgrind"):
        print("no valgrind here: instructions are not counted")
        return SKIPPED
    worst, fresh = 0, []
    print(f"{'workload':<18}{'n':>10}{'instructions':>16}{'ratio':>8}")
    for before, size, name in stored():
        now = count(program, name, size)
        ratio = now / before
        worst = max(worst, ratio)
        fresh.append(f"{now} {size} {name}\n")
        print(f"{name:<18}{size:>10}{now / 1e6:>14.1f} M{ratio:>8.3f}"
              + ("  MORE THAN BEFORE" if ratio > LIMIT else ""))
    if "--update" in sys.argv:
        STORED.write_text("".join(fresh))
        return 0
    return 1 if worst > LIMIT else 0


sys.exit(main())
