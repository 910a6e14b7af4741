import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.errors import InputError
from controlscope.schedules import Continuous, Never, Once, parse_schedule

COUNTS = st.integers(0, 10**6)


@given(COUNTS, COUNTS)
def test_never_offers_nothing_and_continuous_everything(boundary: int, reviews: int) -> None:
    assert not Never().offers(boundary, reviews)
    assert Continuous().offers(boundary, reviews)


@given(COUNTS, COUNTS, COUNTS)
def test_once_offers_at_its_boundary_alone_and_only_if_none_was_held(
    at: int, boundary: int, reviews: int
) -> None:
    assert Once(at).offers(at, 0)
    assert Once(at).offers(boundary, reviews) == (boundary == at and reviews == 0)


@pytest.mark.parametrize("schedule", [Never(), Continuous(), Once(0), Once(12)])
def test_a_schedule_is_read_from_its_own_text(schedule: object) -> None:
    assert parse_schedule(str(schedule)) == schedule


@pytest.mark.parametrize(
    "text",
    ["", "Never", " never", "once", "once:", "once:-1", "once:1.5", "once:1\n", "once:٣", "once:²"],
)
def test_another_text_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(InputError, match="use never, continuous or once:K"):
        parse_schedule(text)


@given(st.text())
def test_any_text_is_a_schedule_or_refused(text: str) -> None:
    try:
        schedule = parse_schedule(text)
    except InputError:
        return
    assert parse_schedule(str(schedule)) == schedule


def test_a_boundary_of_more_digits_than_any_run_has_is_refused() -> None:
    assert parse_schedule("once:999999999") == Once(999_999_999)
    with pytest.raises(InputError):
        parse_schedule("once:" + "9" * 5000)
