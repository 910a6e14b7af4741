"""The bubblewrap back end: the supervisor is process 1 of a sandbox, on one socket."""

import os
import socket
import subprocess
import threading
from dataclasses import dataclass

import anyio

from controlscope.errors import InfrastructureError
from executors.bubblewrap import bwrap_path
from executors.worker.boxes.box import SUPERVISOR, Maker
from executors.worker.boxes.cgroups import Group, new_group
from executors.worker.rootfs import ENVIRONMENT, root

__all__ = ["BUBBLEWRAP", "ProcessBox", "spawn"]

_CLOSE_SECONDS = 5.0
_HINT = (
    "install bubblewrap 0.8 or newer (apt install bubblewrap), and allow unprivileged user"
    " namespaces (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0)"
)


@dataclass(frozen=True)
class ProcessBox:
    """A box that is a process below this one, and our end of the channel."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    group: Group

    def complaint(self) -> str:
        """Kill the process; return what it wrote to its standard error, or how it ended."""
        assert self.process.stderr is not None
        self.process.kill()
        self.process.wait()
        text = os.read(self.process.stderr.fileno(), 4096).decode(errors="replace").strip()
        return text or f"status {self.process.returncode}"

    async def close(self) -> None:
        """End the sandbox, all of it, and wait until it is gone."""
        assert self.process.stderr is not None
        if self.process.returncode is not None:
            # Its complaint was heard: it has ended and was waited for.
            self.process.stderr.close()
            self.channel.close()
            await self._leave()
            return
        descriptor = os.pidfd_open(self.process.pid)
        try:
            with self.process.stderr, anyio.CancelScope(shield=True):
                # The supervisor then exits, with all below it, and an outer process only after
                # that: killing that first would leave nobody to wait for.
                self.channel.close()
                with anyio.move_on_after(_CLOSE_SECONDS):
                    await anyio.wait_readable(descriptor)
                self.process.kill()
                self.process.wait()
        finally:
            os.close(descriptor)
            await self._leave()

    async def _leave(self) -> None:
        """Remove the group; what the kernel has killed may take a moment to be gone."""
        with anyio.CancelScope(shield=True):
            for _ in range(100):
                try:
                    self.group.remove()
                except OSError:
                    await anyio.sleep(0.01)
                else:
                    return
        raise InfrastructureError("sandbox_lost", "its processes do not end")


def spawn(command: list[str], environment: dict[str, str]) -> ProcessBox:
    """Start a supervisor's command line on a socket that is its standard input and output.

    Call it from the main thread, to which its parent-death signal is tied.
    InfrastructureError("sandbox_start_failed") where it cannot be started.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("a sandbox is started from the main thread only")
    group = new_group()
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        try:
            process = subprocess.Popen(
                group.entering(command),
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.PIPE,
                env=environment,
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            group.remove()
            raise InfrastructureError("sandbox_start_failed", str(error)) from None
    return ProcessBox(process, ours, group)


async def _start() -> ProcessBox:
    return spawn(_command(SUPERVISOR), {})


def _probe() -> str | None:
    """Run a sandbox for real; return None where it works, else what is missing and what to do."""
    try:
        done = subprocess.run(
            _command("pass"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env={},
            cwd="/",
            check=False,
        )
    except InfrastructureError as error:
        return f"{error.detail}; {_HINT}"
    if done.returncode == 0:
        return None
    return f"{done.stderr.strip() or f'status {done.returncode}'}; {_HINT}"


def _command(code: str) -> list[str]:
    tree = root()
    command = [
        str(bwrap_path()),
        "--unshare-all",
        "--unshare-user",
        "--disable-userns",
        "--die-with-parent",
    ]
    command += ["--new-session", "--cap-drop", "ALL", "--as-pid-1", "--clearenv"]
    command += ["--uid", "65534", "--gid", "65534", "--hostname", "sandbox"]
    for source, target in tree.binds:
        command += ["--ro-bind", source, target]
    for folder in tree.covered:
        command += ["--tmpfs", folder, "--remount-ro", folder]
    command += ["--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/", "--chdir", "/"]
    for name, value in ENVIRONMENT.items():
        command += ["--setenv", name, value]
    return [*command, "--", tree.python, "-S", "-s", "-P", "-B", "-c", code]


BUBBLEWRAP = Maker("bubblewrap", _start, _probe, forks=True)
