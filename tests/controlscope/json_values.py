"""Any JSON value, for property tests: lone surrogates, keys named as references, deep nesting."""

from typing import Any

from hypothesis import strategies as st

# A high and a low surrogate in a row are one character in JSON: only one kind in one text.
_HIGH = st.characters(max_codepoint=0xDBFF)
_LOW = st.characters(exclude_categories=["Cs"]) | st.characters(
    min_codepoint=0xDC00, max_codepoint=0xDFFF
)
TEXTS = st.text(_HIGH, max_size=20) | st.text(_LOW, max_size=20)
KEYS = TEXTS | st.sampled_from(["blob", "~blob", "~~blob", "parts", "~parts", "kind", ""])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)


def _boxes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5)


VALUES: st.SearchStrategy[Any] = st.recursive(SCALARS, _boxes, max_leaves=20)
OBJECTS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(KEYS, VALUES, max_size=5)


def nested(depth: int) -> Any:
    """Return lists in lists: the value itself is level 1."""
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value
