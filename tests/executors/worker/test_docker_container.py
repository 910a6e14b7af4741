"""A container has the options that confine a worker, whatever our filter refuses besides."""

from contextlib import closing

import docker
import pytest

from executors.worker.boxes import image
from executors.worker.boxes.cgroups import MEMORY_BYTES, PROCESSES
from executors.worker.client import open_sandbox
from tests.executors.worker.conftest import working
from tests.executors.worker.programs import TOOLS

OPTIONS = {
    "NetworkMode": "none",
    "IpcMode": "none",
    "ReadonlyRootfs": True,
    "CapDrop": ["ALL"],
    "CapAdd": None,
    "Privileged": False,
    "Memory": MEMORY_BYTES,
    "MemorySwap": MEMORY_BYTES,
    "PidsLimit": PROCESSES,
    "NanoCpus": 1_000_000_000,
    "Binds": None,
    "AutoRemove": True,
    "SecurityOpt": ["no-new-privileges", "seccomp=unconfined"],
}


@pytest.mark.anyio
async def test_a_workers_container_has_all_the_options_that_confine_it() -> None:
    maker = working("docker")
    async with open_sandbox("fs", TOOLS, maker=maker):
        with closing(docker.from_env()) as client:
            # Others may run from the same image: they are made alike.
            found = client.containers.list(filters={"ancestor": image.name()}, ignore_removed=True)
            assert found
            for container in found:
                host = container.attrs["HostConfig"]
                assert {name: host[name] for name in OPTIONS} == OPTIONS
                assert container.attrs["Config"]["User"] == "65534:65534"
                assert container.attrs["Mounts"] == []
