"""Reads the list of mutants, and applies one of them to a copy of the sources.

    apply.py LIST names            every name, one a line
    apply.py LIST check ROOT       fails unless each text occurs once below ROOT
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


def misfit(mutant, root):
    """Why a mutant cannot be made; None where it can."""
    name, file, before, _ = mutant
    count = (pathlib.Path(root) / file).read_text().count(before)
    return None if count == 1 else f"'{name}': the text occurs {count} times in {file}"


def main():
    mutants = list(blocks("\n" + pathlib.Path(sys.argv[1]).read_text()))
    if sys.argv[2] == "names":
        print("\n".join(name for name, _, _, _ in mutants))
        return
    if sys.argv[2] == "check":
        problems = [misfit(mutant, sys.argv[3]) for mutant in mutants]
        sys.exit("\n".join(filter(None, problems)) or 0)
    for mutant in mutants:
        name, file, before, after = mutant
        if name != sys.argv[3]:
            continue
        if problem := misfit(mutant, sys.argv[4]):
            sys.exit(problem)
        path = pathlib.Path(sys.argv[4]) / file
        path.write_text(path.read_text().replace(before, after))
        return
    sys.exit(f"no mutant is named '{sys.argv[3]}'")


main()
