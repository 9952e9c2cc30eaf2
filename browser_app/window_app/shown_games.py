"""The games that the settings choose: their servers are listed and asked, and Play Now chooses among them."""

from collections.abc import Callable, Sequence

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Target
from browser_app.catalogue.filter_language import Filter, parse_filter
from browser_app.storage.declared import GAMES
from browser_app.storage.settings import Settings


class ShownGames:
    """Kept true: nothing is left out where no game is chosen, nor where the command line names whom to ask."""

    def __init__(self, settings: Settings, catalogue: Catalogue, of_settings: Callable[[], bool]) -> None:
        self._settings, self._catalogue, self._of_settings = settings, catalogue, of_settings

    def now(self) -> frozenset[str]:
        """Ids of the chosen games, but those that nobody knows; empty for all, as also for `sources_of_settings`."""
        chosen = self._settings.get(GAMES) if self._of_settings() else ()
        return frozenset(chosen) & self._catalogue.games.keys()

    def passing(self) -> Filter:
        """What servers of these games pass."""
        games = self.now()
        return parse_filter(f"game:{','.join(sorted(games))}" if games else "")

    def asked(self, known: Sequence[Target]) -> Sequence[Target]:
        """Of all known servers those that are still to be asked: also favourites, and those of no known game."""
        games, c = self.now(), self._catalogue
        if not games:
            return known
        return [
            target
            for target in known
            if (row := c.id_of(target.address)) is None or not c.game[row] or c.game[row] in games or c.favourite[row]
        ]
