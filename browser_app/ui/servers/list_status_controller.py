"""Controller of the list banner and the empty page."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, QRect, Signal

from browser_app.catalogue.server_info import QueryStatus
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.network.url_redaction import redact_url
from browser_app.ui.filters.filter_chip_controller import FilterChipController
from browser_app.ui.lists.server_list_membership import GAME_LIST_PREFIX, LanListController, ServerLists
from browser_app.ui.servers.list_status_text import ListSituation, empty_page_text, list_banner_text
from browser_app.ui.servers.list_status_widgets import EmptyListPage, ListBanner
from browser_app.ui.servers.server_order import ServerOrder
from browser_app.ui.servers.server_table import ServerTableView
from browser_app.ui.window_services import WindowServices


class ListStatusController(QObject):
    """Updates banner and empty page.

    Signals:
        action_requested: name of an action that the user has chosen in one of them.
        missing_keys_changed: names of the games that cannot be listed without a key.
    """

    action_requested = Signal(str)
    missing_keys_changed = Signal(object)

    def __init__(
        self,
        banner: ListBanner,
        page: EmptyListPage,
        table: ServerTableView,
        services: WindowServices,
        order: ServerOrder,
        lists: ServerLists,
        chip_controller: FilterChipController,
        lan_controller: LanListController,
    ) -> None:
        super().__init__(banner)
        self._banner, self._page, self._table = banner, page, table
        self._server_list, self._games = services.server_list, services.games
        self._order, self._lists = order, lists
        self._chip_controller, self._lan_controller = chip_controller, lan_controller
        banner.action_requested.connect(self.action_requested)
        page.action_requested.connect(self.action_requested)
        self._server_list.progress_changed.connect(self.refresh)
        self._server_list.running_changed.connect(self.refresh)
        self._server_list.masters_polled.connect(self.refresh)
        lan_controller.search_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Update banner and empty page."""
        situation = self.situation()
        self._banner.show_status(list_banner_text(situation))
        self._page.show_status(empty_page_text(situation), self._rows_bottom())
        self.missing_keys_changed.emit(self._names_of_games_without_key())

    def _rows_bottom(self) -> int:
        """Return where the rows end in the table's viewport, px."""
        last = self._table.model().rowCount() - 1
        if last < 0:
            return 0
        bottom = self._table.rowViewportPosition(last) + self._table.rowHeight(last)
        return QRect(self._table.viewport().rect()).height() if bottom < 0 else bottom

    def situation(self) -> ListSituation:
        """Return the facts that decide which status is shown."""
        c, poll = self._server_list.catalogue, self._server_list.poll
        self._lists.games_without_key = self._games_without_key()
        times, listed = c.last_answer[c.saved], self._order.active_filters.list_mask
        unanswered = c.saved | (c.status == QueryStatus.NEVER_QUERIED)
        unqueried = np.isin(c.status, (QueryStatus.NEVER_QUERIED, QueryStatus.LISTED))
        shown = self._table.model().rowCount()
        progress = poll.progress if poll is not None else None
        game = self._shown_game()
        unreachable = self._unreachable_masters(game)
        return ListSituation(
            known_count=c.server_count,
            shown_count=shown,
            list_count=int(np.count_nonzero(listed)),
            favourite_count=int(np.count_nonzero(c.favourite)),
            current_list=self._order.current_list,
            is_polling=self._server_list.is_running,
            is_loading_saved=self._server_list.is_loading,
            has_polled=poll is not None,
            outage=self._server_list.outage,
            remembered_count=len(times),
            saved_age_s=self._server_list.age_s(float(times.max())) if len(times) else None,
            unqueried_saved_count=int(np.count_nonzero(c.saved & unqueried)),
            polled_count=progress.finished if progress else 0,
            poll_target_count=progress.targets if progress else 0,
            unanswered_count=int(np.count_nonzero(unanswered[: len(listed)][listed])),
            master_failures=self._server_list.master_failures() if not unreachable else _errors_of(unreachable),
            has_masters=self._server_list.is_running or bool(self._server_list.master_states),
            game_name=self._games[game].name if unreachable else "",
            filters=() if shown else tuple(self._chip_controller.active_filters),
            games_without_key=() if shown else self._games_that_explain_empty_list(),
            is_searching_lan=self._lan_controller.is_searching,
        )

    def _shown_game(self) -> str:
        """Return the id of the game whose list is shown, empty for other lists."""
        shown = self._order.current_list
        return shown.removeprefix(GAME_LIST_PREFIX) if shown.startswith(GAME_LIST_PREFIX) else ""

    def _unreachable_masters(self, game: str) -> list[MasterState]:
        """Return the states of a game's own masters if all that were polled have failed.

        A missing key does not count as a failure.
        """
        if game not in self._games:
            return []
        own = {redact_url(url) for url in self._games[game].masters}
        polled = [state for state in self._server_list.master_states if state.url in own and not state.needs_steam_key]
        return polled if all(state.is_done and not state.ok for state in polled) else []

    def _games_without_key(self) -> frozenset[str]:
        """Return the games with a master server that requires a key."""
        wanting = {state.url for state in self._server_list.master_states if state.needs_steam_key}
        return frozenset(game for game, profile in self._games.items() if not wanting.isdisjoint(profile.masters))

    def _names_of_games_without_key(self) -> list[str]:
        """Return the names of the chosen games that require a key."""
        return sorted(self._games[game].name for game in self._lists.shown_games_without_key)

    def _games_that_explain_empty_list(self) -> list[str]:
        """Return the names of the games whose missing key may be why the list is empty.

        Only the current list's game; all such games if no server is known.
        """
        if game := self._shown_game():
            return [self._games[game].name] if game in self._lists.games_without_key else []
        return [] if self._server_list.catalogue else self._names_of_games_without_key()


def _errors_of(states: Sequence[MasterState]) -> list[str]:
    return [f"{state.url}: {state.error}" for state in states if state.error]
