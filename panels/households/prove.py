"""Replays each game's plan on the engine: `python -m panels.households.prove GAME…`."""

import json
import sys
from pathlib import Path
from typing import Any

__all__ = ["main"]


def main() -> None:
    """End with 1 and a line a game where one is won at reset, or not won by its plan."""
    import textworld
    from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
    from textworld.envs import PddlEnv

    wanted = textworld.EnvInfos(won=True, admissible_commands=True)
    env = AlfredDemangler(PddlEnv(wanted), shuffle=False)
    problems = []
    # The engine's translator overwrites the command line.
    for path in [Path(argument) for argument in sys.argv[1:]]:
        problem = _problem(env, path)
        if problem is not None:
            problems.append(f"{path.parent.parent.name}/{path.parent.name}: {problem}")
    print("\n".join(problems), file=sys.stderr)
    raise SystemExit(1 if problems else 0)


def _problem(env: Any, path: Path) -> str | None:
    env.load(str(path))
    state = env.reset()
    if state["won"]:
        return "it is won at reset"
    for command in json.loads(path.read_text(encoding="utf-8"))["walkthrough"]:
        if state["won"]:
            return f"it is won before {command!r}"
        if command not in state["admissible_commands"]:
            return f"{command!r} is not admissible: {state['admissible_commands']}"
        state, _, _ = env.step(command)
    return None if state["won"] else "its plan does not win it"


if __name__ == "__main__":
    main()
