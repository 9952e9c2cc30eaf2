"""Keeps the line above the rows, and the page in their place, on what is so; their steps are carried out here."""

from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import QObject, QRect, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.engine.web_masters import NEEDS_KEY
from browser_app.games.profile import GameProfile
from browser_app.ui.chip_control import ChipControl
from browser_app.ui.empty_page import EmptyPage
from browser_app.ui.lan_control import LanControl
from browser_app.ui.list_order import ListOrder
from browser_app.ui.list_state import ListState
from browser_app.ui.list_words import ListFacts, line_of, page_of
from browser_app.ui.lists import GAME, Lists
from browser_app.ui.table_view import ServerTableView


class StateControl(QObject):
    """Joins them. `steps`: what is done by the name that a step has.

    Signals:
        told_lacking_key: names of the games that cannot be listed without a key.
    """

    told_lacking_key = Signal(object)

    def __init__(
        self,
        line: ListState,
        page: EmptyPage,
        table: ServerTableView,
        live: LiveList,
        order: ListOrder,
        lists: Lists,
        chips: ChipControl,
        lan: LanControl,
        games: Mapping[str, GameProfile],
        steps: Mapping[str, Callable[[], object]],
    ) -> None:
        super().__init__(line)
        self._line, self._page, self._table = line, page, table
        self._live, self._order, self._lists, self._chips = live, order, lists, chips
        self._lan, self._games, self._steps = lan, games, steps
        for each in (line, page):
            each.step_wanted.connect(lambda does: self._steps[does]())
        live.progressed.connect(self.refresh)
        live.running_changed.connect(self.refresh)
        lan.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Say what is so now."""
        facts = self.facts()
        self._line.show_words(line_of(facts))
        self._page.show_words(page_of(facts), self._rows_end())
        self.told_lacking_key.emit(sorted(self._games[game].name for game in self._lists.lacking_key))

    def _rows_end(self) -> int:
        """Where the rows end in the table's body."""
        last = self._table.model().rowCount() - 1
        if last < 0:
            return 0
        bottom = self._table.rowViewportPosition(last) + self._table.rowHeight(last)
        return QRect(self._table.viewport().rect()).height() if bottom < 0 else bottom

    def facts(self) -> ListFacts:
        """Everything that decides what is said."""
        c, poll = self._live.catalogue, self._live.poll
        self._lists.lacking_key = self._lacking_key()
        times = c.last_answer[c.old]
        shown = self._table.model().rowCount()
        progress = poll.progress if poll is not None else None
        return ListFacts(
            known=len(c),
            shown=shown,
            in_list=int(np.count_nonzero(self._order.terms.listed)),
            favourites=int(np.count_nonzero(c.favourite)),
            listed=self._order.listed,
            running=self._live.running,
            remembering=self._live.remembering,
            asked=poll is not None,
            network_down=progress is not None and progress.network_down,
            remembered=len(times),
            age_s=self._live.age_s(float(times.max())) if len(times) else None,
            done=progress.done if progress else 0,
            targets=progress.targets if progress else 0,
            failures=self._live.master_failures(),
            filters=() if shown else tuple(self._chips.lines),
            lacking_key=() if shown else self._named_lacking_key(),
            looking=self._lan.looking,
        )

    def _lacking_key(self) -> frozenset[str]:
        """Games one of whose masters wants a key."""
        poll = self._live.poll
        wanting = {state.url for state in poll.masters if state.error == NEEDS_KEY} if poll is not None else set()
        return frozenset(game for game, profile in self._games.items() if not wanting.isdisjoint(profile.masters))

    def _named_lacking_key(self) -> list[str]:
        """Of the game whose list is shown; where nothing is known, of all."""
        if self._order.listed.startswith(GAME):
            game = self._order.listed.removeprefix(GAME)
            return [self._games[game].name] if game in self._lists.lacking_key else []
        return sorted(self._games[game].name for game in self._lists.lacking_key) if not self._live.catalogue else []
