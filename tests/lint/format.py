"""clang-format has nothing to change. It is quick, so every file is checked."""

import subprocess
from sources import cpp, files, need_tool, report


def main():
    need_tool("clang-format")
    names = cpp(files())
    done = subprocess.run(["clang-format", "--dry-run", "--Werror", *names],
                          capture_output=True, text=True)
    bad = sorted({line.split(":")[0] for line in done.stderr.splitlines() if " error: " in line})
    problems = [f"{name}: run clang-format -i {name}" for name in bad]
    if done.returncode != 0 and not problems:
        problems = [done.stderr]
    report(problems, f"format of {len(names)} files")


if __name__ == "__main__":
    main()
