"""The engine's own process: one game at a time, asked over one socket; run as a script.

The engine writes to standard output and swaps it, so that the protocol has a descriptor of its own,
the number of which is on the command line. Each message is a line of JSON. A forked copy goes on
with the game where it is, on a socket that comes with the request.
"""

import hashlib
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

__all__: list[str] = []

_CHUNK = 1 << 18
_GAME = "game.tw-pddl"


class _Host:
    """One environment, which serves game after game: a new one would leak."""

    def __init__(self, channel: socket.socket) -> None:
        import textworld
        from alfworld.agents.environment.alfred_tw_env import AlfredDemangler, AlfredInfos
        from textworld.envs import PddlEnv

        wanted = textworld.EnvInfos(
            won=True, admissible_commands=True, facts=True, extras=["gamefile"]
        )
        self._env = AlfredInfos(AlfredDemangler(PddlEnv(wanted), shuffle=False))
        self._channel = channel
        self._bytes = b""

    def serve(self) -> None:
        """Answer until the other end is closed."""
        while True:
            request, passed = self._receive()
            match request:
                case None:
                    return
                case {"load": game}:
                    Path(_GAME).write_text(game, encoding="utf-8")
                    self._env.load(_GAME)
                    self._tell(self._env.reset())
                case {"step": command}:
                    state, _, _ = self._env.step(command)
                    self._tell(state)
                case {"fork": _}:
                    self._fork(passed)

    def _fork(self, passed: int | None) -> None:
        other = socket.socket(fileno=passed)
        if os.fork() == 0:
            self._channel.close()
            self._channel, self._bytes = other, b""
            self._send({"forked": True})
        else:
            other.close()

    def _tell(self, state: Any) -> None:
        facts = sorted(str(fact) for fact in state["facts"])
        self._send(
            {
                "feedback": state.feedback,
                "admissible": sorted(state["admissible_commands"]),
                "won": bool(state["won"]),
                "facts": hashlib.sha256("\n".join(facts).encode()).hexdigest(),
            }
        )

    def _send(self, value: dict[str, Any]) -> None:
        self._channel.sendall(json.dumps(value).encode() + b"\n")

    def _receive(self) -> tuple[dict[str, Any] | None, int | None]:
        passed: int | None = None
        while not self._bytes.endswith(b"\n"):
            data, descriptors, _, _ = socket.recv_fds(self._channel, _CHUNK, 1)
            passed = descriptors[0] if descriptors else passed
            if not data:
                return None, None
            self._bytes += data
        line, self._bytes = self._bytes, b""
        return json.loads(line), passed


def main() -> None:
    """Say that the engine is there, or why not, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Copies are nobody's to wait for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # Taken from the command line at once: the engine's translator overwrites it.
    channel = socket.socket(fileno=int(sys.argv[-1]))
    try:
        host = _Host(channel)
    except ImportError as error:
        channel.sendall(json.dumps({"missing": str(error)}).encode() + b"\n")
        return
    channel.sendall(b'{"ready": true}\n')
    host.serve()


if __name__ == "__main__":
    main()
