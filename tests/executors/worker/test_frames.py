import pytest
from hypothesis import given
from hypothesis import strategies as st

from executors.worker.frames import HEADER, MAX_PAYLOAD_BYTES, FrameError, Frames, frame


@given(
    sent=st.lists(st.tuples(st.integers(0, 2**32 - 1), st.binary(max_size=300)), max_size=5),
    cuts=st.lists(st.integers(1, 50)),
)
def test_frames_come_out_whole_however_the_stream_is_cut(
    sent: list[tuple[int, bytes]], cuts: list[int]
) -> None:
    stream = b"".join(frame(worker, payload) for worker, payload in sent)
    frames, received = Frames(), []
    for size in [*cuts, len(stream)]:
        frames.feed(stream[:size])
        stream = stream[size:]
        while (found := frames.next()) is not None:
            received.append(found)
    assert received == sent
    assert not frames


def test_a_length_above_the_cap_is_refused_before_it_arrives() -> None:
    frames = Frames()
    frames.feed(HEADER.pack(MAX_PAYLOAD_BYTES + 1, 1))
    with pytest.raises(FrameError):
        frames.next()
