"""The user's notes, countries and launch arguments for single servers."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Literal

from browser_app.catalogue.places.regions import is_country
from browser_app.language import gettext as _
from browser_app.protocols.address import Address, shorten
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable


def check_country(code: str) -> None:
    """Accept the code of a country, in capitals, or nothing.

    Raises:
        ValueError: there is no such country.
    """
    if code and not is_country(code):
        raise ValueError(_("No country has the code {code}").format(code=shorten(code)))


def join_notes(first: str, second: str) -> str:
    """Return two notes as paragraphs, `first` alone if it contains `second`."""
    if f"\n\n{second}\n\n" in f"\n\n{first}\n\n":
        return first
    return f"{first}\n\n{second}" if first else second


class ServerTextStore:
    """One text per query address, kept in memory; each change is written at once."""

    def __init__(
        self,
        database: Database,
        table: Literal["notes", "corrected_countries", "launch_arguments"],
        check: Callable[[str], object] = lambda _text: None,
    ) -> None:
        """Load the texts.

        `check` raises an error for an invalid text, which `set` passes on.
        """
        self._check = check
        self._table = KeyedTable(database, table, ("host", "port", "text"), ("host", "port"))
        self._texts: dict[Address, str] = dict(self._table.load(lambda row: (Address(*row[:2]), row[2])))

    def all(self) -> Mapping[Address, str]:
        """Return every text by address."""
        return dict(self._texts)

    def get(self, address: Address) -> str:
        """Return the text of a server; empty if it has none."""
        return self._texts.get(address, "")

    def set(self, address: Address, text: str) -> Future[None]:
        """Replace the text of a server; an empty one removes it."""
        return self.set_all({address: text})

    def set_all(self, texts: Mapping[Address, str]) -> Future[None]:
        """Replace several texts as `set` does, in one transaction."""
        stripped = {address: text.strip() for address, text in texts.items()}
        for text in stripped.values():
            self._check(text)
        new = {address: text for address, text in stripped.items() if text}
        removed = stripped.keys() - new.keys()
        self._texts = {address: text for address, text in (self._texts | new).items() if address not in removed}
        return self._table.write(((*address, text) for address, text in new.items()), removed)
