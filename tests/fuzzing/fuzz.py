"""Fuzz one entrance guided by coverage: `python tests/fuzzing/fuzz.py NAME [libFuzzer options]`."""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[2]))
with atheris.instrument_imports(include=["controlscope", "executors", "panels"]):
    from tests.fuzzing.entrances import ENTRANCES, SAMPLES


def main() -> None:
    """Start from the entrance's sample; a crash is saved as a file, which libFuzzer names."""
    name, *options = sys.argv[1:]
    corpus = Path("runs") / "fuzz" / name
    corpus.mkdir(parents=True, exist_ok=True)
    (corpus / "sample").write_bytes(SAMPLES[name])
    atheris.Setup([sys.argv[0], *options, str(corpus)], ENTRANCES[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
