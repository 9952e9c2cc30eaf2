"""What may stand where one is writing a filter: fields, and the values that servers have."""

import re
from collections.abc import Callable, Mapping

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filter_language import FIELDS
from browser_app.games.profile import GameProfile
from browser_app.storage.friends import GROUPS

MOST = 12
_TOKEN = re.compile(r"""(?:[^\s()|"]|"[^"]*"?)*$""")
_PLAIN = re.compile(r"[^\s()|\",]+")
_YES_NO = ("yes", "no")


class Completion:
    """Offers words for the place where the cursor stands."""

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], saved: Mapping[str, str]) -> None:
        self._catalogue, self._games, self._saved = catalogue, games, saved

    def offers(self, text: str, cursor: int) -> tuple[int, list[tuple[str, str]]]:
        """Where the word begins that is being written, and what may stand there: what is shown and what is written."""
        match = _TOKEN.search(text[:cursor])
        start = match.start() if match else cursor
        token = text[start:cursor]
        start += len(token) - len(token.lstrip("-"))
        token = token.lstrip("-")
        name, colon, value = token.partition(":")
        if colon:
            begun = value.rpartition(",")[2]
            return cursor - len(begun), self._values(name.casefold(), begun)
        return start, self._words(token)

    def _words(self, begun: str) -> list[tuple[str, str]]:
        if not begun:
            return []
        folded = begun.casefold()
        fields = [(name, f"{name}>=") for name in FIELDS.numbers]
        fields += [(name, f"{name}:") for name in FIELDS.texts]
        fields += [(name, name) for name in FIELDS.flags if name not in FIELDS.texts]
        fits = sorted((shown, written) for shown, written in fields if shown.startswith(folded) and shown != folded)
        saved = [(name, f"({text})") for name, text in self._saved.items() if name.casefold().startswith(folded)]
        return (fits + saved)[:MOST]

    def _values(self, field: str, begun: str) -> list[tuple[str, str]]:
        folded = begun.strip('"').casefold()
        values = self._known(field)
        fits = [value for value in values if value.casefold().startswith(folded) and value.casefold() != folded]
        return [(value, _written(value)) for value in sorted(fits, key=str.casefold)[:MOST]]

    def _known(self, field: str) -> list[str]:
        if field in FIELDS.flags:
            return [*_YES_NO, *(GROUPS if field == "friend" else ())]
        c = self._catalogue
        columns: Mapping[str, Callable[[], list[str]]] = {
            "map": lambda: list(c.map.pool),
            "mode": lambda: list({each.casefold(): each for each in (*c.mode.pool, *c.mode_name.pool)}.values()),
            "country": lambda: [code.lower() for code in c.country.pool],
            "version": lambda: list(c.version.pool),
            "game": lambda: [game for game in self._games if game in set(c.game.pool)],
        }
        values = columns[field]() if field in columns else []
        return [value for value in values if value and '"' not in value]


def _written(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else f'"{value}"'
