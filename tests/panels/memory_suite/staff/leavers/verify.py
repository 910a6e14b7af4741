"""Success: the leavers are gone, with their relations, and nobody else."""

import json

from panels.suites.support import Failed, Folder, verify_main


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    before, after = (_lines(folder) for folder in (initial, final))
    gone = [
        item["name"]
        for item in before
        if item["type"] == "entity" and "left the company" in json.dumps(item)
    ]
    wanted = [item for item in before if not {item.get("name"), item.get("from")} & set(gone)]
    if sorted(map(json.dumps, after)) != sorted(map(json.dumps, wanted)):
        raise Failed("the graph is not as asked")
    if set(final.files()) != {"memory.jsonl"}:
        raise Failed("there is another file beside the graph")


def _lines(folder: Folder) -> list[dict[str, object]]:
    return [json.loads(line) for line in folder.text("memory.jsonl").split("\n") if line]


if __name__ == "__main__":
    verify_main(verify)
