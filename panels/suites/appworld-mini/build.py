"""Write the mini world's data root: `python build.py ROOT`, by AppWorld's own interpreter."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from appworld.apps import get_all_apps
from appworld.collections.api_docs import ApiDocCollection
from appworld.collections.models import ModelCollection
from appworld.common.constants import CANARY_STRING, DB_VERSION
from base import APPS, PASSWORD, SUPERVISORS, Person, build_base
from scenarios import SCENARIOS, Scenario

NOW = "2024-04-02T10:00:00"
HERE = Path(__file__).resolve().parent


def main(root: Path) -> None:
    """Build all of it anew."""
    data = root / "data"
    shutil.rmtree(data, ignore_errors=True)
    docs = ApiDocCollection.build(load_apps=tuple(get_all_apps(skip_admin=True)))
    for app, described in docs.items():
        marked = {name: {**doc, "canary_string": CANARY_STRING} for name, doc in described.items()}
        _json(data / "api_docs" / "standard" / f"{app}.json", marked)
    base = data / "base_dbs"
    base.mkdir(parents=True)
    build_base(base, docs)
    names = []
    for name, scenario in SCENARIOS.items():
        for index, person in enumerate(SUPERVISORS):
            names.append(f"{name}_{index + 1}")
            _task(data, names[-1], scenario, index, person)
    _write(data / "datasets" / "mini.txt", "".join(f"{name}\n" for name in names))


def _task(data: Path, name: str, scenario: Scenario, index: int, person: Person) -> None:
    folder = data / "tasks" / name
    public = scenario.values[index]
    instruction = scenario.instruction.format(**public)
    supervisor = {
        "first_name": person.first_name,
        "last_name": person.last_name,
        "email": person.email,
        "phone_number": person.phone_number,
    }
    specs = {"instruction": instruction, "supervisor": supervisor, "datetime": NOW}
    _json(folder / "specs.json", {**specs, "db_version": DB_VERSION})
    models = ModelCollection.load(
        to_db_home_path=f":memory:{name}",
        from_db_home_path=str(data / "base_dbs"),
        load_apps=APPS,
    )
    private = scenario.truth(models, person, public)
    kept = models.supervisor.Supervisor.create_save(**supervisor, birthday="1990-04-12", sex=None)
    models.supervisor.Task.create_save(supervisor_id=kept.id, instruction=instruction)
    for app in get_all_apps(skip_admin=True):
        models.supervisor.AccountPassword.create_save(
            supervisor_id=kept.id, account_name=app, password=PASSWORD
        )
    models.save(
        str(folder / "dbs"),
        format="changes",
        app_names=APPS,
        delete_if_exists=True,
        save_model_hashes=True,
    )
    models.close()
    truth = folder / "ground_truth"
    evaluation = (HERE / "scenarios" / name.split("_")[0] / "evaluation.py").read_text()
    _write(truth / "evaluation.py", evaluation)
    requirements = [
        line.split('"')[1] for line in evaluation.splitlines() if line.startswith('    with test("')
    ]
    _json(
        truth / "test_data.json",
        [{"requirement": text, "label": _label(text)} for text in requirements],
    )
    # The engine would count these from a solution, and a task carries none.
    counts = dict.fromkeys(("num_apps", "num_apis", "num_api_calls", "num_solution_code_lines"), 0)
    _json(truth / "metadata.json", {"difficulty": 1, "mode": "minimal", **counts})
    _json(truth / "public_data.json", public)
    _json(truth / "private_data.json", private)
    _json(truth / "answer.json", None)


def _label(requirement: str) -> str:
    """Return the engine's label: what guards the rest of the world holds where nothing is done."""
    return "no_op_pass" if requirement.startswith("only ") else "no_op_fail"


def _json(path: Path, value: Any) -> None:
    _write(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
