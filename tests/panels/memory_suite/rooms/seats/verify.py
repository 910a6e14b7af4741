"""Success: each seat that is observed is a relation too, and nothing else changed."""

import json

from panels.suites.support import Failed, Folder, verify_main


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    before, after = (_lines(folder) for folder in (initial, final))
    seats = {"Lee May": "Room B", "Mo Nash": "Room A"}
    wanted = before + [
        {"type": "relation", "from": name, "to": room, "relationType": "sits in"}
        for name, room in seats.items()
    ]
    if sorted(map(json.dumps, after)) != sorted(map(json.dumps, wanted)):
        raise Failed("the graph is not as asked")
    if set(final.files()) != {"memory.jsonl"}:
        raise Failed("there is another file beside the graph")


def _lines(folder: Folder) -> list[dict[str, object]]:
    return [json.loads(line) for line in folder.text("memory.jsonl").split("\n") if line]


if __name__ == "__main__":
    verify_main(verify)
