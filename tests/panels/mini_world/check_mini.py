"""Prove the mini world's tasks on the engine: a solution passes, an empty run and a stray one fail.

`python check_mini.py ROOT`, by AppWorld's interpreter, with APPWORLD_ROOT set to the same folder;
exit 1 where a task does not hold.
"""

import json
import sys
from pathlib import Path

from appworld import AppWorld

PROGRAMS = Path(__file__).resolve().parent / "programs"
STRAY = """
apis.simple_note.create_note(title="Stray", content="-", access_token=login("simple_note"))
"""


def main(root: Path) -> int:
    """Run three programs on each task, one world after another."""
    wrong = 0
    tasks = (root / "data" / "datasets" / "mini.txt").read_text(encoding="utf-8").split()
    login = (PROGRAMS / "login.py").read_text(encoding="utf-8")
    for task in tasks:
        data = root / "data" / "tasks" / task / "ground_truth" / "public_data.json"
        public = json.loads(data.read_text(encoding="utf-8"))
        program = (PROGRAMS / f"{task.split('_')[0]}.py").read_text(encoding="utf-8")
        solution = f"public = {public!r}\n{login}\n{program}"
        cases = {"solution": solution, "empty": "pass", "stray": solution + STRAY}
        for name, code in cases.items():
            with AppWorld(task, f"check-{name}") as world:
                output = world.execute(code)
                world.execute("apis.supervisor.complete_task()")
                success = world.evaluate().to_dict()["success"]
            failed_to_run = name != "empty" and "Execution failed" in output
            if success != (name == "solution") or failed_to_run:
                wrong += 1
                print(f"{task}, {name}: success is {success}\n{output}")
    print(f"mini world (ours), not AppWorld: {len(tasks)} tasks, {wrong} cases wrong")
    return int(wrong > 0 or not tasks)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
