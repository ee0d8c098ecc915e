"""What the lint tests look at: the repository's files, as git knows them."""

import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
CPP = (".cpp", ".h")


def git(*arguments):
    """Lines of git's answer, None where git or the history cannot give one."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def files():
    """Tracked and new files, sorted; in an exported tree without git, all but build/."""
    names = git("ls-files", "--cached", "--others", "--exclude-standard")
    if names is None:
        paths = [p for p in pathlib.Path(".").rglob("*") if p.is_file()]
        names = [str(p) for p in paths if p.parts[0] not in ("build", ".git")]
    return sorted(name for name in set(names) if os.path.isfile(name))


def base_commit():
    """Where this work left main; on main itself, the commit before the last one."""
    for branch in ("origin/main", "main"):
        base = git("merge-base", "HEAD", branch)
        if base and base != git("rev-parse", "HEAD"):
            return base[0]
    return (git("rev-parse", "HEAD~1") or [None])[0]


def changed_files():
    """Files that differ from base_commit(); all of them where it is unknown or HEDDLE_LINT=all."""
    base = base_commit()
    if os.environ.get("HEDDLE_LINT") == "all" or base is None:
        return files()
    changed = git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")
    return [name for name in files() if name in changed]


def cpp(names):
    return [name for name in names if name.endswith(CPP)]


def read(name):
    return pathlib.Path(name).read_text(encoding="utf-8", errors="replace")


def need_tool(tool):
    if shutil.which(tool) is None:
        print(f"skipped: {tool} is not installed")
        sys.exit(SKIPPED)


def report(problems, checked):
    """Ends the test: every problem on a line of its own."""
    for problem in problems:
        print(problem)
    print(f"{checked}: {len(problems)} problem(s)")
    sys.exit(1 if problems else 0)
