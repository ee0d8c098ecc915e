"""Rules on single lines and files: what library code never does, sizes, paths of one machine."""

import os
import re
from sources import cpp, files, read, report

HARD_LINES = 600  # of a source file

# (pattern, why) for code of sim, hw_models and gui; comments and strings do not count.
CLOCK = "the wall clock must not change a result"
LIBRARY = [
    (r"\bstd::(cout|cerr|clog)\b|(?<![\w:])(std::)?f?printf\s*\(|fmt::print|\bputs\s*\(",
     "library code never prints: return text or diagnostics"),
    (r"(?<![\w:.>])(std::)?(exit|_Exit|quick_exit|abort|terminate)\s*\(",
     "library code never ends the process: diagnostics, heddle::Error or HEDDLE_CHECK"),
    (r"\bgetenv\b", "the environment must not change a result"),
    (r"\b(system_clock|steady_clock|high_resolution_clock|clock_gettime|std::time)\b",
     CLOCK),
    (r"\brandom_device\b|\bmt19937|_distribution\b|(?<![\w:])rand\s*\(",
     "random numbers come from sim/base/rng.h"),
    (r"\bassert\s*\(", "use HEDDLE_CHECK, which is on in every build"),
    (r"\bsetlocale\b|\bstd::locale\b|\bstod\s*\(|\bstrtod\s*\(|\batof\s*\(",
     "the locale must not change a result"),
]
EVERYWHERE = [(r"^\s*using namespace\b", "no using namespace")]
# main reads the data folder's place from the environment and owns the process's streams.
MAINS = {"sim/cli/main.cpp", "gui/main.cpp"}
# Tells a person how long is left, on standard error only.
CLOCKS = {"sim/cli/progress.h", "sim/cli/progress.cpp"}
# The only file that may say what it forbids.
SELF = ("tests/lint/",)
HASHED = re.compile(r"\bstd::unordered_\w+<[^;{}()]*>\s+(\w+)\s*[;{=]")
MACHINE_PATH = re.compile(r"(?<![\w.}$*/])/(home|work|tmp|Users|root|mnt)/\w")

BLANK = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\'',
    re.S)


def code_only(text):
    """Comments and strings blanked out, lines kept."""
    return BLANK.sub(lambda match: "\n" * match.group().count("\n"), text)


def find(rules, name, text):
    lines = text.split("\n")
    return [f"{name}:{number}: {why}"
            for number, line in enumerate(lines, 1)
            for pattern, why in rules if re.search(pattern, line)]


def check_hash_order(name, code, header):
    """Looking up in a hashed container is fine, walking over one is not."""
    problems = []
    for container in sorted(set(HASHED.findall(code) + HASHED.findall(header))):
        walk = [(rf":\s*{container}\)|\b{container}\.c?begin\(",
                 f"hash order must not change a result: {container} is walked over")]
        problems += find(walk, name, code)
    return problems


def twin(name):
    """The header beside a .cpp file, "" where there is none."""
    header = name.removesuffix(".cpp") + ".h"
    return code_only(read(header)) if name.endswith(".cpp") and os.path.isfile(header) else ""


def check_cpp(name, text):
    code = code_only(text)
    problems = find(EVERYWHERE, name, code)
    if name.startswith(("sim/", "hw_models/", "gui/")) and name not in MAINS:
        rules = [rule for rule in LIBRARY if name not in CLOCKS or rule[1] != CLOCK]
        problems += find(rules, name, code) + check_hash_order(name, code, twin(name))
    if name.endswith(".h") and not text.startswith("#pragma once\n"):
        problems.append(f"{name}:1: a header starts with #pragma once")
    return problems


def check_text(name, text):
    lines = text.split("\n")
    problems = []
    if name.endswith((".cpp", ".h", ".py", ".sh", ".txt")) and len(lines) > HARD_LINES:
        problems.append(f"{name}: {len(lines)} lines, more than {HARD_LINES}: split it")
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            problems.append(f"{name}:{number}: a path of one machine: {line.strip()[:80]}")
    return problems


def main():
    names = [n for n in files() if not n.startswith(SELF)]
    problems = []
    for name in names:
        text = read(name)
        problems += check_text(name, text)
        if cpp([name]):
            problems += check_cpp(name, text)
    report(problems, f"text of {len(names)} files")


if __name__ == "__main__":
    main()
