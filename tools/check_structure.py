#!/usr/bin/env python3
"""The rules of the repository that a program can check.

    tools/check_structure.py [RULE ...]      all rules, or those named

Rules: includes, stems, sizes, functions, leftovers, format. Each complaint is one line, FILE:LINE: what and why.
Exit code 0 when there is none, 77 when the only rule asked for cannot be checked here (no clang-format).
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_LINES = 600          # of a file
MOST_FUNCTION_LINES = 60  # of a function, unless the line before it says "// dispatch" and why

# Who may include whom, by the first folder of the path in the quotes.
MAY_INCLUDE = {
    "src/base": {"base"},
    "src/ptx": {"ptx", "base"},
    "src/sim": {"sim", "ptx", "base"},
    "src/model": {"model", "sim", "ptx", "base"},
    "src/trace": {"trace", "base"},
    "src/timeline": {"timeline", "trace", "base"},
    "src/nvtx": {"nvtx", "trace", "base"},
    "src/cupti": {"cupti", "nvtx", "trace", "base"},
    "src/cudart": {"cudart", "model", "sim", "ptx", "trace", "base"},
    "src/harness": {"harness", "workbook", "kernels", "timeline", "trace", "ptx", "base"},
    "src/grader": {"grader", "trace", "base"},
    "src/classroom": {"classroom", "grader", "trace", "base"},
    "src/bench": {"bench", "workbook", "kernels"},
    "src/cli": {"cli", "classroom", "grader", "model", "timeline", "trace", "workbook", "base"},
    "include": {"workbook"},
    "chapters": {"workbook"},
    "solutions": {"workbook"},
    "kernels": {"kernels"},
    "tests/exercises": {"workbook", "kernels"},
}
CODE = {".h", ".cpp", ".cu", ".cuh"}


def files(*folders, suffixes=CODE):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def shown(path):
    return path.relative_to(ROOT).as_posix()


def check_includes():
    pattern = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
    for folder, allowed in MAY_INCLUDE.items():
        for path in files(folder):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = pattern.match(line)
                if not found:
                    continue
                name = found.group(2)
                first = name.split("/")[0]
                if found.group(1) == '"' and (path.parent / name).is_file():
                    # Beside the file itself; it must not leave the part.
                    target = shown((path.parent / name).resolve())
                    if not target.startswith(folder + "/"):
                        yield f"{shown(path)}:{number}: {name} lies outside {folder}"
                    continue
                ours = "/" in name and ((ROOT / "src" / first).is_dir() or first in ("kernels", "workbook", "tests", "site",
                                                                                     "chapters", "solutions"))
                if ours and first not in allowed:
                    yield f"{shown(path)}:{number}: {folder} may not include {first}/ (allowed: {', '.join(sorted(allowed))})"


def check_stems():
    """A stem names the starter, the solution, the check, the driver and the answers' folder."""
    starters = {p.relative_to(ROOT / "chapters").with_suffix("") for p in files("chapters", suffixes={".cu"})
                if p.parent.name != "given"}
    for stem in sorted(starters):
        for path in (f"solutions/{stem}.cu", f"tests/exercises/{stem}.cpp", f"tests/exercises/{stem}.driver.cpp",
                     f"tests/exercises/{stem}/wrong", f"tests/exercises/{stem}/right"):
            if not (ROOT / path).exists():
                yield f"chapters/{stem}.cu:1: {path} is missing"
        for kind, least in (("wrong", 5), ("right", 2)):
            folder = ROOT / "tests/exercises" / stem / kind
            count = sum(1 for p in folder.glob("*") if not p.name.startswith(".")) if folder.is_dir() else 0
            if count < least:
                yield f"chapters/{stem}.cu:1: {count} {kind} answers, at least {least} are needed"
        manifest = ROOT / "chapters" / stem.parent / "chapter.toml"
        if not manifest.is_file() or f'"{stem.name}"' not in manifest.read_text():
            yield f"chapters/{stem}.cu:1: chapter.toml does not name {stem.name}"
        if not (ROOT / "chapters" / stem.parent / "README.md").is_file():
            yield f"chapters/{stem}.cu:1: the chapter has no README.md"
    for folder in ("solutions", "tests/exercises"):
        for path in files(folder, suffixes={".cu", ".cpp"}):
            parts = path.relative_to(ROOT / folder).parts
            name = pathlib.Path(parts[0], parts[1].split(".")[0]) if len(parts) > 1 else None
            if name is not None and name not in starters:
                yield f"{shown(path)}:1: no starter chapters/{name}.cu"


def all_sources():
    yield from files("src", "include", "kernels", "tests", "tools", "bench", "cmake", "chapters", "solutions",
                     suffixes=CODE | {".py", ".sh", ".cmake", ".txt"})
    yield ROOT / "workbook"


def check_sizes():
    for path in all_sources():
        lines = path.read_text(errors="replace").count("\n")
        if lines > MOST_LINES:
            yield f"{shown(path)}:1: {lines} lines; split what is over {MOST_LINES}"


def without_strings(text):
    """Comments, strings and characters blanked out, line breaks kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^()\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def functions_of(text):
    """(first line, last line) of each outermost function body, told by braces: a brace after a parameter list opens one."""
    code = without_strings(text)
    stack, line, head, begun = [], 1, "", 1
    not_function = re.compile(r"\b(namespace|class|struct|union|enum)\b[^()]*$|=\s*$|\bextern\s*$")
    for c in code:
        if c == "\n":
            line += 1
        if c == "{":
            inside = any(is_function for is_function, _ in stack)
            is_function = not inside and ")" in head and not not_function.search(head.rsplit(")", 1)[1] if "template" in head else head)
            stack.append((is_function, begun if is_function else line))
            head = ""
        elif c == "}":
            if stack:
                is_function, first = stack.pop()
                if is_function:
                    yield first, line
            head = ""
        elif c == ";" and head.count("(") <= head.count(")"):
            head = ""
        else:
            if not head.strip() and not c.isspace():
                begun, head = line, ""
            head += c


def check_functions():
    for path in files("src", "include", "kernels", "tests"):
        text = path.read_text(errors="replace")
        lines = text.splitlines()
        for first, last in functions_of(text):
            before = " ".join(lines[max(0, first - 4):first])
            if last - first + 1 > MOST_FUNCTION_LINES and "// dispatch" not in before:
                yield f"{shown(path)}:{first}: a function of {last - first + 1} lines; the most is {MOST_FUNCTION_LINES}"


def check_leftovers():
    pattern = re.compile(r"(//|#|/\*)\s*(TODO|FIXME|XXX|HACK)\b")
    for path in all_sources():
        if path.parts[len(ROOT.parts)] == "chapters" or path.name == pathlib.Path(__file__).name:
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if pattern.search(re.sub(r'"(?:\\.|[^"\\])*"', '""', line)):
                yield f"{shown(path)}:{number}: something is left to do: {line.strip()[:60]}"


def clang_format():
    for name in ("clang-format-14", "clang-format"):
        program = shutil.which(name)
        if program and "version 14." in subprocess.run([program, "--version"], capture_output=True, text=True).stdout:
            return program
    return None


def formatted_files():
    return [p for p in files("src", "include", "kernels", "tests", "bench") if "/wrong/" not in shown(p) and "/right/" not in shown(p)]


def check_format():
    program = clang_format()
    if program is None:
        return
    result = subprocess.run([program, "--dry-run", "--ferror-limit=1", *map(str, formatted_files())], capture_output=True, text=True,
                            cwd=ROOT)
    for line in result.stderr.splitlines():
        found = re.match(r"(.*?):(\d+):\d+: (?:warning|error): code should be clang-formatted", line)
        if found:
            yield f"{shown(pathlib.Path(found.group(1)).resolve())}:{found.group(2)}: not as clang-format 14 would have it"


RULES = {"includes": check_includes, "stems": check_stems, "sizes": check_sizes, "functions": check_functions,
         "leftovers": check_leftovers, "format": check_format}


def main():
    names = sys.argv[1:] or list(RULES)
    unknown = [n for n in names if n not in RULES]
    if unknown:
        print(f"no rule {unknown[0]!r}; there are {', '.join(RULES)}")
        return 2
    if names == ["format"] and clang_format() is None:
        print("clang-format 14 is not installed: not checked")
        return 77
    complaints = 0
    for name in names:
        for complaint in RULES[name]():
            print(complaint)
            complaints += 1
    print(f"{complaints} complaints" if complaints else f"{', '.join(names)}: in order")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
