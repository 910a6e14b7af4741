import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.errors import InputError
from controlscope.schedules import (
    Continuous,
    From,
    Moment,
    Never,
    Once,
    PerBlock,
    Protected,
    parse_schedule,
)

COUNTS = st.integers(0, 10**6)
MOMENTS = st.builds(Moment, COUNTS, COUNTS, COUNTS, st.none() | COUNTS, st.booleans())


@given(MOMENTS)
def test_never_offers_nothing_and_continuous_everything(moment: Moment) -> None:
    assert not Never().offers(moment)
    assert Continuous().offers(moment)


@given(COUNTS, MOMENTS)
def test_once_offers_at_its_boundary_alone_and_only_if_none_was_held(
    at: int, moment: Moment
) -> None:
    assert Once(at).offers(Moment(at, 0, moment.calls, moment.replaced_at, moment.begins_block))
    due = moment.boundary == at and moment.reviews == 0
    assert Once(at).offers(moment) == due


def test_protection_lasts_for_its_calls_after_the_last_replacement() -> None:
    offered = [
        calls for calls in range(20) if Protected(5).offers(Moment(calls, 1, calls, 7, False))
    ]
    assert [calls for calls in offered if calls >= 7] == list(range(12, 20))
    assert Protected(5).offers(Moment(3, 1, 3, None, False))


@given(COUNTS, MOMENTS)
def test_from_a_boundary_on_every_one_is_offered(at: int, moment: Moment) -> None:
    assert From(at).offers(moment) == (moment.boundary >= at)


@given(MOMENTS)
def test_per_block_offers_where_a_natural_block_begins(moment: Moment) -> None:
    assert PerBlock().offers(moment) == moment.begins_block


@pytest.mark.parametrize(
    "schedule", [Never(), Continuous(), PerBlock(), Once(0), Once(12), From(3), Protected(5)]
)
def test_a_schedule_is_read_from_its_own_text(schedule: object) -> None:
    assert parse_schedule(str(schedule)) == schedule


@pytest.mark.parametrize(
    "text",
    ["", "Never", " never", "once", "once:", "once:-1", "once:1.5", "once:1\n", "once:٣", "once:²"],
)
def test_another_text_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(InputError, match="use never, continuous, per_block, once:K, from:K or"):
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
