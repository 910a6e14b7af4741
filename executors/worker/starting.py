"""How a worker process starts: confined and limited before it hears of a program.

Standard library only.
"""

import os
import resource
import socket
import sys
from typing import Any, NoReturn

from executors.worker import forking, frozen, guest, seccomp

__all__ = ["become_worker"]

_STACK_BYTES = 64 * 1024 * 1024
_MOST_PROCESSES = 1 << 20


def become_worker(channel: socket.socket, settings: dict[str, Any], copies: bool) -> NoReturn:
    """Turn a fresh child of the supervisor into a worker.

    Its first byte brings the descriptor of its gate, or none: it needs one to be copied.
    """
    try:
        seccomp.die_with_parent()
        descriptor = channel.fileno()
        os.closerange(3, descriptor)
        os.closerange(descriptor + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        gate = seccomp.confine(copies=copies)
        if gate is None:
            channel.sendall(b"-")
        else:
            forking.send_descriptor(channel, b"+", gate)
            os.close(gate)
        _limit(settings)
        sys.path.remove(os.environ["PYTHONPATH"])
        for name in set(os.environ) - {"LANG", "TZ"}:
            del os.environ[name]
        sys.argv = [""]
        frozen.freeze(settings["instant"])
        guest.serve(channel, settings)
    finally:
        os._exit(guest.EXIT_PROTOCOL)


def _limit(settings: dict[str, Any]) -> None:
    memory = settings["memory_bytes"] + guest.HEADROOM_BYTES
    cpu = settings["cpu_seconds"]
    limits = (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        # Abandoned frames stay on the stack below a replacement.
        (resource.RLIMIT_STACK, _STACK_BYTES, _STACK_BYTES),
        # The filter alone decides; where this limit binds, a copy of a worker needs it raised.
        (resource.RLIMIT_NPROC, 0, _MOST_PROCESSES),
        (resource.RLIMIT_NOFILE, 64, 64),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    )
    for limit, soft, hard in limits:
        # What the host allows may be less than what is asked for.
        _, most = resource.getrlimit(limit)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(limit, (soft, hard))
