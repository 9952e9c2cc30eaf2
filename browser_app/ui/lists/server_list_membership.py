"""Membership and counts of the server lists, including the LAN list."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QObject, Signal

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.server_search import LanSearch
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, Floats
from browser_app.catalogue.filters.server_filter import FilterError, parse_filter
from browser_app.catalogue.server_info import QueryTarget
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.ui.lists.server_list_sidebar import SidebarItem

ALL_LIST, FAVOURITES_LIST, RECENT_LIST = "all", "favourites", "recent"
FRIENDS_LIST, LAN_LIST, BLOCKED_LIST = "friends", "lan", "blocked"
GAME_LIST_PREFIX = "game:"


class ServerLists:
    """Membership and counts of all lists.

    Attributes:
        lan_servers: rows found on the local network.
        games_without_key: games whose server list needs a key that is missing.
        opened_servers: rows that the user opened by address; they are listed whatever their game.
        shown_games: games whose servers are listed; empty for all. Favourites and recent servers are always listed.
    """

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], saved: Mapping[str, str]) -> None:
        self.lan_servers: frozenset[int] = frozenset()
        self.games_without_key: frozenset[str] = frozenset()
        self.opened_servers: frozenset[int] = frozenset()
        self.shown_games: frozenset[str] = frozenset()
        self._catalogue, self._games, self._saved = catalogue, games, saved
        self._saved_counts: dict[tuple[str, str], int] = {}
        self._refresh_count = 0

    def list_rows(self, key: str) -> Bools:
        """Return one flag per row, as a new array.

        Blocked servers are only in their own list and the user's lists.
        """
        c = self._catalogue
        if key == FAVOURITES_LIST:
            return c.favourite.copy()
        if key == RECENT_LIST:
            return ~np.isnan(c.last_played)
        if key == BLOCKED_LIST:
            return c.blocked.copy()
        rows = self._member_rows(key) & ~c.blocked
        if self.shown_games:
            shown = c.game.matching_rows(self._is_game_shown)
            shown[list(self.opened_servers)] = True
            rows &= shown
        return rows

    def ranked_scores(self) -> Floats:
        """Return the scores that ranks are among, in ascending order.

        These are the scores of the servers that the list of all shows without filters.
        """
        scores = self._catalogue.score[self.list_rows(ALL_LIST)]
        return np.sort(scores[~np.isnan(scores)])

    @property
    def shown_games_without_key(self) -> frozenset[str]:
        """Those of the chosen games whose server list needs a key that is missing."""
        return frozenset(filter(self._is_game_shown, self.games_without_key))

    def _is_game_shown(self, game: str) -> bool:
        """Return whether a game is among the chosen ones, if any are."""
        return not self.shown_games or game in self.shown_games

    def _member_rows(self, key: str) -> Bools:
        c = self._catalogue
        if key == FRIENDS_LIST:
            return c.friends > 0
        if key == LAN_LIST:
            found = np.zeros(len(c), np.bool_)
            found[list(self.lan_servers)] = True
            return found
        if key.startswith(GAME_LIST_PREFIX):
            game = key.removeprefix(GAME_LIST_PREFIX)
            return np.array([each == game for each in c.game.pool], np.bool_)[c.game.ids]
        if key.startswith(SAVED_LIST_PREFIX):
            return self._saved_filter_rows(key.removeprefix(SAVED_LIST_PREFIX))
        return c.occupied.copy()

    def _saved_filter_rows(self, name: str) -> Bools:
        try:
            return parse_filter(self._saved.get(name, "")).matching_rows(self._catalogue)
        except FilterError:  # saved by a newer version
            return np.zeros(len(self._catalogue), np.bool_)

    def sidebar_items(self) -> list[SidebarItem]:
        """Return the sidebar's items: fixed lists, saved filters, and games with servers."""
        fixed = (
            (ALL_LIST, "list", _("All")),
            (FAVOURITES_LIST, "star", _("Favourites")),
            (RECENT_LIST, "clock", _("Recent")),
            (FRIENDS_LIST, "friend", _("Friends")),
            (LAN_LIST, "lan", _("LAN")),
            (BLOCKED_LIST, "block", _("Blocked")),
        )
        items = [SidebarItem(key, icon, title, self.count_servers(key)) for key, icon, title in fixed]
        if self._saved:
            items.append(SidebarItem("", "", _("Saved filters"), 0))
            counts = self._saved_filter_counts()
            items += [
                SidebarItem(SAVED_LIST_PREFIX + name, "filter", name, counts[name], short_title=name)
                for name in self._saved
            ]
        games = list(self._game_items())
        installed = [item for item in games if self._is_installed(item)]
        if not installed or len(installed) == len(games):
            return [*items, *_section(_("Games"), games)]
        others = [item for item in games if not self._is_installed(item)]
        return [*items, *_section(_("Installed games"), installed), *_section(_("Other games"), others)]

    def _is_installed(self, item: SidebarItem) -> bool:
        return item.key.removeprefix(GAME_LIST_PREFIX) in (self._catalogue.installed_games or ())

    def count_servers(self, key: str) -> int:
        """Return how many servers are in a list, filters aside."""
        return int(np.count_nonzero(self.list_rows(key)))

    def _saved_filter_counts(self) -> dict[str, int]:
        """Return the counts of saved filters.

        Text search over 20,000 servers is slow, so one count is updated per call.
        """
        known, names = self._saved_counts, list(self._saved)
        self._refresh_count = (self._refresh_count + 1) % len(names)
        for place, name in enumerate(names):
            key = (name, self._saved[name])
            if place == self._refresh_count or key not in known:
                known[key] = self.count_servers(SAVED_LIST_PREFIX + name)
        return {name: known[name, self._saved[name]] for name in names}

    def _game_items(self) -> Iterator[SidebarItem]:
        c = self._catalogue
        numbers = np.bincount(c.game.ids[~c.blocked], minlength=len(c.game.pool)).tolist()
        counts = {
            game: number
            for game, number in zip(c.game.pool, numbers, strict=True)
            if number and game and self._is_game_shown(game)
        }
        without_key = {game: 0 for game in self.shown_games_without_key if game not in counts}
        for game, number in sorted((counts | without_key).items(), key=lambda each: (-each[1], each[0])):
            profile = self._games.get(game)
            yield SidebarItem(
                GAME_LIST_PREFIX + game,
                "",
                profile.name if profile else game,
                number,
                needs_key=game in without_key,
                short_title=profile.short if profile else game,
            )


def _section(title: str, items: Sequence[SidebarItem]) -> Sequence[SidebarItem]:
    """Return the items below a title; nothing where there are none."""
    return [SidebarItem("", "", title, 0), *items] if items else []


MAX_LAN_QUERIES = 100
"""Further servers are queried with the next refresh; no real local network has more."""


class LanListController(QObject):
    """Adds servers of the local network to the LAN list.

    Signals:
        search_changed: a search began or ended.
    """

    search_changed = Signal()

    def __init__(
        self,
        lan_search: LanSearch,
        server_list: ServerListController,
        server_lists: ServerLists,
        shown_list: Callable[[], str],
    ) -> None:
        """Create the controller; `shown_list` returns the key of the current list."""
        super().__init__()
        self._lan_search, self._server_list, self._server_lists = lan_search, server_list, server_lists
        lan_search.search_finished.connect(self._on_servers_found)
        server_list.running_changed.connect(lambda running: self.on_list_chosen(shown_list()) if running else None)

    @property
    def is_searching(self) -> bool:
        """Whether a search is running."""
        return self._lan_search.is_running

    def start_search(self) -> None:
        """Search the local network."""
        self._lan_search.start()
        self.search_changed.emit()

    def on_list_chosen(self, key: str) -> None:
        """Search if the LAN list was chosen, unless servers are queried on request."""
        if key == LAN_LIST and not self._server_list.queries_on_request:
            self.start_search()

    def close(self) -> None:
        """Cancel the search."""
        self._lan_search.close()

    def _on_servers_found(self, targets: Sequence[QueryTarget]) -> None:
        servers = [server for server in self._server_list.catalogue.rows.add(list(targets)).tolist() if server >= 0]
        # Servers that did not answer this time stay in the list and are queried.
        self._server_lists.lan_servers |= frozenset(servers)
        for server in sorted(self._server_lists.lan_servers)[:MAX_LAN_QUERIES]:
            self._server_list.query(server)
        self._server_list.rescore()
        self.search_changed.emit()
