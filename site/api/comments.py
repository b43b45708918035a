#!/usr/bin/env python3
"""Doxygen's input filter: our comments, as Doxygen reads them.

Our headers explain themselves in plain `//` comments: an essay on top, a comment above what it is about, or one behind it.
Doxygen wants to be told which comments those are. So, outside of functions' bodies, `//` above a declaration becomes `///`,
`//` behind one becomes `///<`, and the essay becomes the file's description. No line is added or taken away, so that
Doxygen's line numbers are the file's.
"""
import re
import sys


def body_depths(lines):
    """For each line, is it inside of a function's body (or an initialiser), where comments are about code?"""
    inside, stack = [], []
    head = ""
    in_block = False
    for line in lines:
        inside.append(any(stack))
        code = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'', '""', line)
        code = re.sub(r"//.*", "", code)
        for c in code:
            if c == "{":
                opens_scope = re.search(r"\b(namespace|class|struct|union|enum|extern)\b[^;()=]*$", head) is not None
                stack.append(not opens_scope)
                head = ""
            elif c == "}":
                if stack:
                    stack.pop()
                head = ""
            elif c == ";":
                head = ""
            else:
                head += c
        if line.lstrip().startswith("#"):
            head = ""
    return inside


def escaped(text):
    """What stands in our prose is prose: no commands, no tags, no automatic links from `#` or `@`."""
    return re.sub(r"([\\@#<>%&])", r"\\\1", text)


def in_code(text):
    return text.startswith("   ") or text.startswith("\t")


def convert(text):
    lines = text.split("\n")
    inside = body_depths(lines)
    out = list(lines)
    # The essay: the comment on the first lines.
    end = 0
    while end < len(lines) and lines[end].startswith("//"):
        end += 1
    for i in range(end):
        words = re.sub(r"^///? ?", "", lines[i])
        out[i] = "///" + (" @file \\n" if i == 0 else "") + (" " + (escaped(words) if not in_code(words) else words) if words else "")
    if end == 0 and lines:
        pass
    for i in range(end, len(lines)):
        line = lines[i]
        if inside[i]:
            continue
        alone = re.match(r"^(\s*)//(?!/|!|\s*-{2,}|\s*={2,})\s?(.*)$", line)
        if alone:
            words = alone.group(2)
            out[i] = f"{alone.group(1)}/// {escaped(words) if not in_code(words) else words}".rstrip()
            continue
        behind = re.match(r"^(.*\S)\s+//(?![/!])\s?(.*)$", line)
        if behind and not behind.group(1).rstrip().endswith(("{", "(", "\\")) and not line.lstrip().startswith(("#", "}")):
            out[i] = f"{behind.group(1)}  ///< {escaped(behind.group(2))}"
    return "\n".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(convert(file.read()))
