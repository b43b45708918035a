#!/usr/bin/env python3
"""Doxygen's input filter: our comments, as Doxygen reads them.

Our headers explain themselves in plain `//` comments: an essay on top; a comment above what it is about, which may be several
declarations that follow each other; or one behind a declaration. Doxygen wants to be told which comments those are. So, outside
of functions' bodies, a comment above a declaration becomes `///`, one behind it `/**< */`, and the essay the file's description.
A comment above several becomes that of a group. Moves, copies and destructors are left out: they say nothing that C++ doesn't.

No line is added or taken away, so Doxygen's line numbers are the file's.
"""
import re
import sys

SPECIAL = re.compile(r"^\s*(?:(?:explicit |virtual )?~?(\w+)\((?:(?:const )?\1 ?&&?(?: \w+)?)?\)(?: noexcept)?(?: = \w+)?;"
                     r"|(\w+)& operator=\((?:const )?\2 ?&&?(?: \w+)?\)(?: noexcept)?(?: = \w+)?;)\s*(//.*)?$")
SEVERAL = re.compile(r"^(\s*(?:static |constexpr |const |unsigned )*[\w:]+(?:<[^<>;()]*>)?) (\w+(?:\[\w+\])?(?: = [^,;(){}]+)?(?:, \w+(?:\[\w+\])?(?: = [^,;(){}]+)?)+);(.*)$")


def is_comment(line):
    return re.match(r"\s*//(?!\s*-{3,}|\s*={3,}| ----)", line) is not None


def words_of(line):
    return re.sub(r"^\s*///?<? ?", "", line)


def escaped(text):
    """Our prose is prose: no commands, no tags, no links by accident. What is between backticks stays."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if i % 2 else re.sub(r"([\\@#<>%&])", r"\\\1", p) for i, p in enumerate(parts)).replace("*/", "* /")


def bodies(lines):
    """For each line: is it inside of a function's body (or an initialiser), where comments are about code? And the depth at its end."""
    inside, depths, stack, head = [], [], [], ""
    for line in lines:
        inside.append(any(stack))
        code = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'', '""', line)
        code = re.sub(r"//.*", "", code)
        if code.lstrip().startswith("#"):
            depths.append(len(stack))
            continue
        for c in code:
            if c == "{":
                stack.append(re.search(r"\b(namespace|class|struct|union|enum|extern)\b[^;()=]*$", head) is None)
                head = ""
            elif c == "}":
                if stack:
                    stack.pop()
                head = ""
            elif c == ";":
                head = ""
            else:
                head += c
        depths.append(len(stack))
    return inside, depths


def split_declarators(line):
    """`int a, b;  // text`: one declaration each, in one line, with the same words."""
    code, _, comment = line.partition("//")
    found = SEVERAL.match(code.rstrip() + ("" if code.rstrip().endswith(";") else ""))
    if not found or found.group(3).strip():
        return None
    kind, names = found.group(1), re.split(r", (?=\w+(?:\[\w+\])?(?: = |,|$))", found.group(2))
    said = f" /**< {escaped(words_of('//' + comment))} */" if comment else ""
    return " ".join(f"{kind} {name};{said}" for name in names)


def behind(line):
    """A declaration with a comment behind it."""
    found = re.match(r"^(.*[;,{})\w])\s*//(?![/!])\s?(.*)$", line)
    if not found or line.lstrip().startswith(("#", "}")):
        return None
    code = found.group(1).rstrip()
    if code.endswith(("{", "(")):
        return None
    return f"{code}  /**< {escaped(found.group(2))} */"


def ends_of_declarations(lines, first, inside, depths):
    """The lines on which the declarations that follow line `first` without a gap end."""
    level = depths[first - 1] if first > 0 else 0
    ends, i = [], first
    while i < len(lines):
        line = lines[i]
        if not inside[i] and (not line.strip() or is_comment(line) or re.match(r"\s*(\}|public:|private:|protected:|#)", line)):
            break
        code = re.sub(r"\s*//.*", "", line).rstrip()
        if depths[i] == level and code.endswith((";", "}")):
            ends.append(i)
        i += 1
    return ends


def one_line_comments(lines):
    """A comment behind a declaration that goes on below itself becomes one line, and leaves an empty one."""
    out = list(lines)
    at, column = -1, -1
    for i, line in enumerate(lines):
        found = re.match(r"^(.*[^\s/].*?)(//)(?![/!]) ?(.*)$", line)
        if found and not is_comment(line):
            at, column = i, len(found.group(1))
        elif at >= 0 and re.match(rf"^\s{{{column}}}//", line) and column > 8:
            out[at] += " " + words_of(line)
            out[i] = ""
        else:
            at = -1
    return out


def convert(text):
    lines = one_line_comments(text.split("\n"))
    inside, depths = bodies(lines)
    out = list(lines)
    end = 0
    while end < len(lines) and lines[end].startswith("//"):
        end += 1
    if end:
        essay = ["  " + w if w.startswith("  ") else escaped(w) for w in (words_of(line) for line in lines[:end])]
        # `@file` wants a line of its own: the essay takes the place of `#pragma once` below it too.
        out[0] = "/** @file"
        for k in range(1, end):
            out[k] = essay[k - 1]
        out[end] = essay[end - 1] + " */"
        end += 1
    i = end
    while i < len(lines):
        if inside[i]:
            i += 1
            continue
        if SPECIAL.match(lines[i]):
            out[i] = ""
        elif is_comment(lines[i]):
            last = i
            while last + 1 < len(lines) and is_comment(lines[last + 1]) and not inside[last + 1]:
                last += 1
            ends = [e for e in ends_of_declarations(lines, last + 1, inside, depths)]
            for k in range(i, last + 1):
                words = words_of(lines[k])
                out[k] = words if words.startswith("   ") else escaped(words)
            group = len(ends) > 1 or (len(ends) == 1 and split_declarators(lines[ends[0]]) is not None)
            out[i] = ("/**@{*/ " if group else "") + "/** " + out[i]
            out[last] += " */"
            if group:
                for k in range(last + 1, ends[-1] + 1):
                    if not inside[k]:
                        changed = "" if SPECIAL.match(lines[k]) else split_declarators(lines[k]) or behind(lines[k])
                        out[k] = out[k] if changed is None else changed
                out[ends[-1]] += " /**@}*/"
                i = ends[-1] + 1
                continue
            i = last + 1
            continue
        else:
            changed = split_declarators(lines[i]) or behind(lines[i])
            if changed is not None:
                out[i] = changed
        i += 1
    return "\n".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(convert(file.read()))
