"""Any bytes at any entrance are read, or refused with a typed error; never a crash."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzzing.entrances import ENTRANCES, SAMPLES

_PIECES = st.binary(max_size=12) | st.sampled_from(
    [
        b"[" * 3000,
        b'{"a":' * 3000,
        b"9" * 5000,
        b"1e999",
        b"NaN",
        b"\\ud800",
        b"\xff",
        b"null",
        b'""',
    ]
)


@pytest.mark.parametrize("name", ENTRANCES)
@given(data=st.data())
@settings(max_examples=60)
def test_a_changed_sample_is_read_or_refused(name: str, data: st.DataObject) -> None:
    sample = SAMPLES[name]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(sample)))
        end = data.draw(st.integers(start, min(len(sample), start + 40)))
        sample = sample[:start] + data.draw(_PIECES) + sample[end:]
    ENTRANCES[name](sample)


@pytest.mark.parametrize("name", ENTRANCES)
@given(data=st.binary(max_size=300))
@settings(max_examples=40)
def test_any_bytes_are_read_or_refused(name: str, data: bytes) -> None:
    ENTRANCES[name](data)


@pytest.mark.parametrize("name", ENTRANCES)
def test_the_samples_themselves_come_in(name: str) -> None:
    ENTRANCES[name](SAMPLES[name])
