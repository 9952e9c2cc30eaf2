"""A server's rules as plain texts, made only when somebody looks at them."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from browser_app.protocols.coloured_text import plain


class PlainRules(Mapping[str, str]):
    """Keys and values without colour codes, control and direction characters, in the server's order.

    Of keys that become the same text the first counts.
    """

    def __init__(self, raw: Mapping[str, str] | Mapping[bytes, bytes], dialect: str = "none") -> None:
        self._raw = raw
        self._dialect = dialect

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    @cached_property
    def _texts(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for key, value in self._raw.items():
            texts.setdefault(self._text(key), self._text(value))
        return texts

    def _text(self, raw: str | bytes) -> str:
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
        return plain(text, self._dialect)
