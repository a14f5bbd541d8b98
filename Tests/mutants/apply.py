"""Reads the list of mutants, and applies one of them to a copy of the sources.

    apply.py LIST names            every name, one a line
    apply.py LIST apply NAME ROOT  changes ROOT/<file>; fails unless the text occurs once

A mutant is a block of the list:

    == name of the rule that is broken
    file: path below the root
    <<<<
    text as it is
    ====
    text as it becomes
    >>>>
"""

import pathlib
import sys


def blocks(text):
    """Yields (name, file, before, after) of each mutant."""
    for block in text.split("\n== ")[1:]:
        name, rest = block.split("\n", 1)
        file, rest = rest.split("\n<<<<\n", 1)
        before, rest = rest.split("\n====\n", 1)
        after = rest.split("\n>>>>", 1)[0]
        yield name.strip(), file.removeprefix("file:").strip(), before, after.rstrip("\n")


def main():
    mutants = list(blocks("\n" + pathlib.Path(sys.argv[1]).read_text()))
    if sys.argv[2] == "names":
        print("\n".join(name for name, _, _, _ in mutants))
        return
    for name, file, before, after in mutants:
        if name != sys.argv[3]:
            continue
        path = pathlib.Path(sys.argv[4]) / file
        text = path.read_text()
        if text.count(before) != 1:
            sys.exit(f"'{name}': the text occurs {text.count(before)} times in {file}")
        path.write_text(text.replace(before, after))
        return
    sys.exit(f"no mutant is named '{sys.argv[3]}'")


main()
