"""The lists of the side: which servers belong to each, and how many they are."""

from collections.abc import Iterator, Mapping

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Bools
from browser_app.catalogue.filter_language import FilterError, parse_filter
from browser_app.games.profile import GameProfile
from browser_app.language import gettext as _
from browser_app.ui.side_model import SideItem

ALL, FAVOURITES, RECENT, FRIENDS, LAN, BLOCKED = "all", "favourites", "recent", "friends", "lan", "blocked"
GAME, SAVED = "game:", "saved:"


class Lists:
    """Membership and counts.

    Attributes:
        lan: rows found on the local network.
        lacking_key: games whose list of servers could not be had without a key.
        led_to: rows that the user was led to by name: they stand in lists whatever their games are.
        shown: the games whose servers stand in lists; empty for all. Favourites and what was played stand in theirs.
    """

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], saved: Mapping[str, str]) -> None:
        self.lan: frozenset[int] = frozenset()
        self.lacking_key: frozenset[str] = frozenset()
        self.led_to: frozenset[int] = frozenset()
        self.shown: frozenset[str] = frozenset()
        self._catalogue, self._games, self._saved = catalogue, games, saved
        self._saved_counts: dict[tuple[str, str], int] = {}
        self._turn = 0

    def rows(self, key: str) -> Bools:
        """One flag a row; an array of the caller's own. Blocked servers stand in no list but theirs and the user's."""
        c = self._catalogue
        if key == FAVOURITES:
            return c.favourite.copy()
        if key == RECENT:
            return ~np.isnan(c.last_played)
        if key == BLOCKED:
            return c.blocked.copy()
        rows = self._of(key) & ~c.blocked
        if self.shown:
            shown = c.game.where(self._is_shown)
            shown[list(self.led_to)] = True
            rows &= shown
        return rows

    def _is_shown(self, game: str) -> bool:
        """It is one of those chosen, where some are."""
        return not self.shown or game in self.shown

    def _of(self, key: str) -> Bools:
        c = self._catalogue
        if key == FRIENDS:
            return c.friends > 0
        if key == LAN:
            found = np.zeros(len(c), np.bool_)
            found[list(self.lan)] = True
            return found
        if key.startswith(GAME):
            game = key.removeprefix(GAME)
            return np.array([each == game for each in c.game.pool], np.bool_)[c.game.ids]
        if key.startswith(SAVED):
            return self._passing(key.removeprefix(SAVED))
        return np.ones(len(c), np.bool_)

    def _passing(self, name: str) -> Bools:
        try:
            return parse_filter(self._saved.get(name, "")).mask(self._catalogue)
        except FilterError:  # saved by a newer program
            return np.zeros(len(self._catalogue), np.bool_)

    def items(self) -> list[SideItem]:
        """The side's lines: the fixed lists, saved filters, the games that have servers."""
        fixed = (
            (ALL, "list", _("All")),
            (FAVOURITES, "star", _("Favourites")),
            (RECENT, "clock", _("Recent")),
            (FRIENDS, "friend", _("Friends")),
            (LAN, "lan", _("LAN")),
            (BLOCKED, "block", _("Blocked")),
        )
        items = [SideItem(key, icon, title, self._count(key)) for key, icon, title in fixed]
        if self._saved:
            items.append(SideItem("", "", _("Saved filters"), 0))
            counts = self._counts_of_saved()
            items += [SideItem(SAVED + name, "filter", name, counts[name]) for name in self._saved]
        games = list(self._game_items())
        return [*items, SideItem("", "", _("Games"), 0), *games] if games else items

    def _count(self, key: str) -> int:
        return int(np.count_nonzero(self.rows(key)))

    def _counts_of_saved(self) -> dict[str, int]:
        """Searching texts of 20,000 servers takes its time: of the counts that are known, one is made anew."""
        known, names = self._saved_counts, list(self._saved)
        self._turn = (self._turn + 1) % len(names)
        for place, name in enumerate(names):
            key = (name, self._saved[name])
            if place == self._turn or key not in known:
                known[key] = self._count(SAVED + name)
        return {name: known[name, self._saved[name]] for name in names}

    def _game_items(self) -> Iterator[SideItem]:
        c = self._catalogue
        numbers = np.bincount(c.game.ids[~c.blocked], minlength=len(c.game.pool)).tolist()
        counts = {
            game: number
            for game, number in zip(c.game.pool, numbers, strict=True)
            if number and game and self._is_shown(game)
        }
        lacking = {game: 0 for game in self.lacking_key if game not in counts and self._is_shown(game)}
        for game, number in sorted((counts | lacking).items(), key=lambda each: (-each[1], each[0])):
            profile = self._games.get(game)
            yield SideItem(GAME + game, "", profile.name if profile else game, number, needs_key=game in lacking)
