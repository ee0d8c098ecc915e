#!/usr/bin/env python3
"""Records the hashes of what ./heddle prints now. bytes_test.cpp compares every build with them."""
import pathlib
import re
import subprocess

FINGERPRINT = re.compile(rb'\n *"fingerprint": [^\n]*')  # as in bytes_test.cpp
EMPTY = b""
ROOT = pathlib.Path(__file__).resolve().parents[3]
EXPECTED = ROOT / "tests/golden/bytes/expected.txt"


def stable_hash(data):
    """sim/base/stable_hash.h: 64-bit FNV-1a over the length and the bytes."""
    state = 0xCBF29CE484222325
    for byte in len(data).to_bytes(8, "little") + data:
        state = ((state ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{state:016x}"


def main():
    lines = []
    for line in EXPECTED.read_text().splitlines():
        command = line.split(maxsplit=1)[1]
        output = subprocess.run([ROOT / "heddle", *command.split()], cwd=ROOT, check=True,
                                stdout=subprocess.PIPE).stdout
        lines.append(f"{stable_hash(FINGERPRINT.sub(EMPTY, output))}  {command}\n")
    EXPECTED.write_text("".join(lines))


if __name__ == "__main__":
    main()
