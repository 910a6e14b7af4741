"""Wherever a call stands, the baseline answers, and what it answers keeps the program's result."""

import pytest

from reviewers.heuristic import Heuristic
from tests.reviewers.stand_in import Run

READ = 'fs.read_text_file(path="d/" + name)'
PLACES = {
    "else of a loop": f"for name in names:\n    pass\nelse:\n    rows.append({READ})",
    "handler": f"for name in names:\n    try:\n        1 / 0\n    except ZeroDivisionError:\n"
    f"        rows.append({READ})",
    "finally": "for name in names:\n    try:\n        pass\n    finally:\n"
    f"        rows.append({READ})",
    "else of a try": f"for name in names:\n    try:\n        pass\n    except OSError:\n"
    f"        pass\n    else:\n        rows.append({READ})",
    "with": f"import contextlib\nfor name in names:\n    with contextlib.suppress(OSError):\n"
    f"        rows.append({READ})",
    "inner while": f"for name in names:\n    left = 2\n    while left:\n        left -= 1\n"
    f"        rows.append({READ})",
    "while test": f"name = names[0]\nwhile {READ} and len(rows) < 3:\n    rows.append(name)",
    "match subject": f"for name in names:\n    match {READ}:\n        case str(text):\n"
    "            rows.append(text)",
    "match guard": f"for name in names:\n    match name:\n        case text if {READ}:\n"
    "            rows.append(text)",
    "class body": f"name = names[0]\nclass Holder:\n    text = {READ}\nrows.append(Holder.text)",
    "decorator": f"name = names[0]\n@(lambda f, text={READ}: text)\ndef made():\n    pass\n"
    "rows.append(made)",
    "default": f"name = names[0]\ndef made(text={READ}):\n    return text\nrows.append(made())",
    "lambda": f"read = lambda name: {READ}\nfor name in names:\n    rows.append(read(name))",
    "comprehension": f"rows += [{READ} for name in names]",
    "condition of a comprehension": f"rows += [name for name in names if {READ}]",
    "generator": f"def texts():\n    for name in names:\n        yield {READ}\nrows += texts()",
    "walrus": f"for name in names:\n    if (text := {READ}) and (size := len(text)):\n"
    "        rows.append(size)",
    "elif": f"for name in names:\n    if not name:\n        pass\n    elif {READ}:\n"
    "        rows.append(name)",
    "augmented": f"rows = ''\nfor name in names:\n    rows += {READ}",
    "starred target": f"for first, *name in [[1, 'a'], [2, 'b']]:\n    name = name[0]\n"
    f"    rows.append({READ})",
    "dictionary target": f"box = {{}}\nfor box['name'] in names:\n    name = box['name']\n"
    f"    rows.append({READ})",
    "deleted target": f"for name in names:\n    rows.append({READ})\n    del name",
    "annotated": f"for name in names:\n    text: str = {READ}\n    rows.append(text)",
    "global statement": f"def run():\n    global name\n    for name in names:\n"
    f"        rows.append({READ})\nrun()",
    "semicolons": f"name = names[0]; rows.append({READ}); rows.append({READ})",
    "two in one": f"name = names[1]\nrows.append({READ} + {READ})",
}
NAMES = ["a", "b", "c", "d", "e"]
FILES = {f"d/{name}": f"text of {name}" for name in NAMES}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("budget", [1, 4, 30])
def test_a_call_anywhere_is_answered_without_changing_the_result(place: str, budget: int) -> None:
    program = f"names = {NAMES}\nrows = []\n{place}\n"
    kept = Run(dict(FILES)).play(program)
    assert kept.error is None
    revised = Run(dict(FILES), Heuristic(), budget=budget).play(program)
    assert revised.error is None
    assert revised.over or revised.variables()["rows"] == kept.variables()["rows"]


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_missing_folder_before_a_call_anywhere_leaves_the_result(place: str) -> None:
    failing = 'try:\n    fs.write_file(path="out/a", content="x")\nexcept ToolError:\n    pass\n'
    program = f"names = {NAMES}\nrows = []\n{failing}{place}\n"
    kept = Run(dict(FILES)).play(program)
    revised = Run(dict(FILES), Heuristic()).play(program)
    assert (revised.error, revised.over) == (None, False)
    assert revised.variables()["rows"] == kept.variables()["rows"]
