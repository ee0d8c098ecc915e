#!/usr/bin/env python3
"""Rewrites the tables of README.md from what ./heddle prints.

usage: update.py [FOLDER]     without the folder of measurements accuracy tables are left alone
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"(<!-- table: (.*?) -->\n).*?(<!-- table end -->)", re.S)


def excerpt(output):
    """The part a reader of the README needs: up to the assumptions."""
    return output.split("\nRests on")[0].split("\nFigures behind")[0].strip("\n")


def rewrite(match):
    arguments = match.group(2).split()
    if arguments[0] == "accuracy":
        if len(sys.argv) < 2:
            return match.group(0)
        arguments[1] = str(pathlib.Path(sys.argv[1]).resolve() / arguments[1])
    output = subprocess.run([ROOT / "heddle", *arguments], cwd=ROOT, check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    return f"{match.group(1)}```\n{excerpt(output)}\n```\n{match.group(3)}"


readme = ROOT / "README.md"
readme.write_text(BLOCK.sub(rewrite, readme.read_text()))
