"""Which module may include which, and where third-party headers may appear.

The table of modules is the build's own: heddle_module() and target_link_libraries() in the
CMakeLists.txt of sim, sim/cli, hw_models and gui.
"""

import re
from sources import cpp, files, read, report

TABLES = ("sim/CMakeLists.txt", "sim/cli/CMakeLists.txt", "hw_models/CMakeLists.txt",
          "gui/CMakeLists.txt", "validator/CMakeLists.txt")
LINKS = re.compile(r"^\s*(?:heddle_module\((\w+)|target_link_libraries\(heddle(?:_|-worker-)(\w+)) ([^)]*)\)",
                   re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)

# Header prefix -> the places that may include it.
CONFINED = {
    "boost/": ("sim/fabric/", "tests/support/"),
    "nlohmann/": ("sim/io/", "hw_models/"),
    "pugixml.hpp": ("sim/io/",),
    "yaml-cpp/": ("sim/io/training_import/",),
    "Eigen/": ("sim/fit/", "validator/device/", "validator/gpu/", "validator/judge/"),
    "oneapi/": ("sim/sweep/",),
    "CLI/": ("sim/cli/", "validator/cli/"),
    "mpi.h": ("validator/mpi/",),
    "fmt/": ("sim/", "hw_models/", "validator/", "gui/", "tests/"),
    "gtest/": ("tests/",),
    "gmock/": ("tests/",),
    "simgrid/": ("tests/differential/",),
    "benchmark/": ("tests/bench/suite/",),
}
QT = re.compile(r"^(Q[A-Z]|Qt)")
QT_PLACES = ("gui/", "tests/gui/")
FORBIDDEN = re.compile(r"^(cuda|cublas|nccl|mpi|omp|nvml)")  # in every module
ONLY_IN_CPP = ("boost/", "nlohmann/", "CLI/", "fmt/", "pugixml.hpp", "yaml-cpp/", "Eigen/", "oneapi/")
# main joins what must not know each other.
MAINS = {"sim/cli/main.cpp", "gui/main.cpp"}


def parse_links(text):
    """{module: [modules it links]} of a CMakeLists.txt."""
    table = {}
    for first, second, words in LINKS.findall(text):
        linked = [w[7:] for w in words.split() if w.startswith("heddle_") and w != "heddle_options"]
        table[first or second] = linked
    return table


def find_cycle(table):
    """The names along a cycle, or None."""
    done = set()

    def visit(module, path):
        if module in path:
            return path[path.index(module):] + [module]
        if module in done:
            return None
        cycle = next(filter(None, (visit(m, path + [module]) for m in table.get(module, []))), None)
        done.add(module)
        return cycle

    return next(filter(None, (visit(m, []) for m in table)), None)


def reachable(table, module):
    seen, todo = {module}, [module]
    while todo:
        fresh = [m for m in table.get(todo.pop(), []) if m not in seen]
        seen.update(fresh)
        todo += fresh
    return seen


def module_of(path):
    """"engine" for sim/engine/x.h, "device" for validator/device/x.h, "validator_cli" for
    validator/cli/x.h, "gui_views" for gui/views/x.h, "hw_models" for hw_models/x.h, None
    elsewhere."""
    parts = path.split("/")
    if parts[0] == "gui" and len(parts) > 2:
        return f"gui_{parts[1]}"
    if parts[0] in ("sim", "validator") and len(parts) > 2:
        return "validator_cli" if parts[:2] == ["validator", "cli"] else parts[1]
    return parts[0] if parts[0] == "hw_models" else None


def own_include(name, header, table):
    """Why `name` must not include our own `header`; None if it may."""
    module, other = module_of(name), module_of(header)
    if module is None or other is None or name in MAINS or other in reachable(table, module):
        return None
    return f"{name}: {module} must not include {header}: it does not link {other}"


def foreign_include(name, header):
    if module_of(name) and FORBIDDEN.match(header) and not name.startswith("validator/mpi/"):
        return f"{name}: {header} has no place in a module"
    if QT.match(header) and not name.startswith(QT_PLACES):
        return f"{name}: {header} is confined to {', '.join(QT_PLACES)}"
    for prefix, places in CONFINED.items():
        if not header.startswith(prefix):
            continue
        if not name.startswith(places):
            return f"{name}: {header} is confined to {', '.join(places)}"
        if name.endswith(".h") and module_of(name) and prefix in ONLY_IN_CPP:
            return f"{name}: {header} belongs in a .cpp file"
    return None


def check(name, text, table):
    headers = INCLUDE.findall(text)
    found = [own_include(name, h, table) for h in headers]
    found += [foreign_include(name, h) for h in headers]
    found += [f"{name}: write the path from the root: {h}" for h in headers if h.startswith("..")]
    return [problem for problem in found if problem]


def main():
    table = {}
    for path in TABLES:
        table.update(parse_links(read(path)))
    cycle = find_cycle(table)
    problems = ["modules in a circle: " + " -> ".join(cycle)] if cycle else []
    sources = cpp(files())
    unknown = sorted({module_of(s) for s in sources} - {None} - set(table))
    problems += [f"module {m} is in no CMakeLists.txt" for m in unknown]
    for name in sources:
        problems += check(name, read(name), table)
    report(problems, f"includes of {len(sources)} files, {len(table)} modules")


if __name__ == "__main__":
    main()
