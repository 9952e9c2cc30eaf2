"""Works out beside the window what the servers' games would be for me, from what is known of their players."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background import Background
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.skill.panel import SkillPanel
from browser_app.catalogue.facts import PlayerRow
from browser_app.catalogue.wildcards import matcher
from browser_app.player.own_history import OwnHistory
from browser_app.ui.skill.fair.line_up import LineUp, Named
from browser_app.ui.skill.fair.outlook import Asked, Outlook, outlook
from browser_app.ui.skill.fair.roster import Roster

_PATIENCE_S = 10.0
"""What was asked for may never come, as when the user cancels it; after so long it is asked for again."""
_MOST_KNOWN = 1000
"""So many games are remembered; servers' players change all the time."""


class Outlooks(QObject):
    """Answers for the panel's game under its system; what is asked before the system is known waits for it.

    Signals:
        ready: there is a roster, or another one, or none any more.
        outdated: the panel shows something else; `prepare` makes it the roster's.
        selected: another server is selected (its id, -1 for none).

    Attributes:
        roster: whom the system knows; None until it is known.
        game, system, me: what it is of, and the user's id there; empty for none.
        server: the one that is selected, in the list or on a page; -1 for none.
    """

    ready = Signal()
    outdated = Signal()
    selected = Signal(int)

    def __init__(self, panel: SkillPanel, live: LiveList, my_names: Callable[[str], Sequence[str]]) -> None:
        """`my_names`: what the user is called in a game, as patterns of names."""
        super().__init__()
        self._panel, self._live, self._my_names = panel, live, my_names
        self._background = Background()
        panel.changed.connect(self.outdated)
        self._history: OwnHistory | None = None
        self._asked_for: object = None
        self._asked_at = 0.0
        self.roster: Roster | None = None
        self._known: dict[Asked, Outlook] = {}
        """What was worked out with this roster."""
        self.game = self.system = self.me = ""
        self.server = -1

    def select(self, server: int) -> None:
        """Turn to a server, -1 for none."""
        if server != self.server:
            self.server = server
            self.selected.emit(server)

    def concerns(self, server: int) -> bool:
        """Whether a server is of the game that the panel shows."""
        catalogue = self._live.catalogue
        return 0 <= server < len(catalogue) and bool(self._panel.game) and catalogue.game[server] == self._panel.game

    def prepare(self) -> None:
        """Have the roster of the panel's game made; cheap where it is known."""
        panel = self._panel
        key = (panel.game, panel.system, panel.shown.rated_at if panel.shown is not None else 0.0)
        if key == self._asked_for and (self.roster is not None or time.monotonic() - self._asked_at < _PATIENCE_S):
            return
        self._asked_for, self._asked_at = key, time.monotonic()
        if panel.game:
            panel.want_run(lambda run: self._background.run(lambda: Roster(run), lambda made: self._take(key, made)))
        elif self.roster is not None:
            self.roster, self.game = None, ""
            self.ready.emit()

    def _take(self, key: object, roster: Roster) -> None:
        if key == self._asked_for:
            self.roster, self.game, self.system = roster, self._panel.game, self._panel.system
            self._known = {}
            self._history = self._panel.shown.history if self._panel.shown is not None else None
            self.me = self._history.player if self._history is not None else ""
            self.ready.emit()

    def mode(self, told: str = "") -> str:
        """The mode whose ratings count: the one a server tells, if there are rounds of it, else that of most rounds."""
        if self._history is not None:
            return mode_for(self._history, told)
        return next(iter(self.roster.run.record.modes), "") if self.roster is not None else ""

    def line_up(self) -> LineUp:
        """Nobody yet."""
        teams = self.roster.teams if self.roster is not None else ("", "")
        return LineUp(teams, (), self.me, self.mode())

    def servers(self) -> list[int]:
        """The game's servers whose players are known."""
        catalogue, game = self._live.catalogue, self.game
        return [row for row, players in catalogue.player_lists.items() if players and catalogue.game[row] == game]

    def ask(self, servers: Sequence[int], then: Callable[[Mapping[int, Outlook]], object]) -> None:
        """Work out what can be said of these; nothing is told where there is no roster."""
        roster = self.roster
        if roster is None:
            return
        if len(self._known) > _MOST_KNOWN:
            self._known = {}
        known = self._known
        asked = [self._asked(server, roster) for server in servers]
        new = [each for each in asked if each not in known]

        def work() -> Mapping[Asked, Outlook]:
            return {each: outlook(roster, each) for each in new}

        def told(found: Mapping[Asked, Outlook]) -> None:
            known.update(found)
            then({each.server: known[each] for each in asked})

        if new:
            self._background.run(work, told)
        else:
            told({})

    def close(self) -> None:
        """Nothing is told any more."""
        self._background.close()

    def _asked(self, server: int, roster: Roster) -> Asked:
        catalogue = self._live.catalogue
        playing = [each for each in catalogue.player_lists.get(server, ()) if not each.bot and not each.spectator]
        sides = sides_of(playing)
        named = [
            Named(each.name, sides.get(each.team), friend=catalogue.friend_group(each) is not None) for each in playing
        ]
        is_mine = matcher(self._my_names(self.game), exact=[roster.name_of(self.me)] if self.me else ())
        my_names = frozenset(name for name in (each.name.casefold() for each in playing) if is_mine(name))
        mode = self.mode(catalogue.mode[server] or "")
        return Asked(server, tuple(named), self.me, my_names, mode, catalogue.map[server] or "")


def sides_of(players: Sequence[PlayerRow]) -> Mapping[int | None, int]:
    """0 and 1 for the numbers of two teams; nothing where they are other than two, or not told of everybody."""
    teams = {each.team for each in players}
    if None in teams or len(teams) != 2:
        return {}
    return {team: place for place, team in enumerate(sorted(team for team in teams if team is not None))}


def mode_for(history: OwnHistory, told: str) -> str:
    """The mode whose ratings count: the one a server tells, if there are rounds of it, else that of most rounds."""
    for mode in history.modes:
        if mode and mode.casefold() == told.casefold():
            return mode
    known = history.mode[history.mode >= 0]
    return history.modes[int(np.bincount(known).argmax())] if len(known) else ""
