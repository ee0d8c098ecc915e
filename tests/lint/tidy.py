"""clang-tidy (.clang-tidy) on the sources that changed, or that include a header that changed.

tidy.py BUILD_FOLDER      HEDDLE_LINT=all checks everything, without a time limit
"""

import json
import os
import pathlib
import sys
from parallel import run_all
from sources import SKIPPED, changed_files, cpp, need_tool, read, report

LIMIT_S = 300
# Flags of the compiler of the build that clang does not know, which are no finding.
TOLERANT = "--extra-arg=-Wno-unknown-warning-option"


def built_sources(build):
    """Sources in the build's compile commands, as paths from the repository's root."""
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    root = os.getcwd() + "/"
    found = {e["file"][len(root):] for e in entries if e["file"].startswith(root)}
    return sorted(name for name in found if not name.startswith("build/"))


def affected(sources, changed):
    """Changed sources first, then those that include a changed header."""
    headers = [f'"{name}"' for name in changed if name.endswith(".h")]
    own = [s for s in sources if s in changed]
    by_header = [s for s in sources
                 if s not in changed and any(header in read(s) for header in headers)]
    return own + by_header


def main():
    need_tool("clang-tidy")
    build = sys.argv[1]
    everything = os.environ.get("HEDDLE_LINT") == "all"
    sources = affected(built_sources(build), set(cpp(changed_files())))
    commands = [["clang-tidy", "--quiet", "-p", build, TOLERANT, name] for name in sources]
    results = run_all(commands, limit_s=10**5 if everything else LIMIT_S)
    problems = [f"{name}:\n{output}" for name, (finished, status, output) in zip(sources, results)
                if finished and status != 0]
    late = sum(not finished for finished, _, _ in results)
    if late and not problems:
        print(f"skipped: {late} of {len(sources)} affected sources were not reached in {LIMIT_S} s; "
              "./heddle test --all has no limit")
        sys.exit(SKIPPED)
    report(problems, f"clang-tidy on {len(sources) - late} of {len(sources)} affected sources")


if __name__ == "__main__":
    main()
