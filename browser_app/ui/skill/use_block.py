"""What the rating is good for in the list of servers, and where it stands in the record."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QFont

from browser_app.bridge.skill.shown import Points
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Status
from browser_app.language import gettext as _
from browser_app.player.now import Now
from browser_app.ui.controls import Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.skill.now_words import played_words, rank_words, use_words
from browser_app.ui.skill.section import Section
from browser_app.ui.skill.selectable import sentence
from browser_app.ui.theme import Theme


def fed_servers(catalogue: Catalogue, game: str) -> int:
    """How many servers of a game tell their skill now, so that the user's own counts there."""
    answered = (catalogue.status == Status.OK) & ~catalogue.blocked & ~np.isnan(catalogue.server_skill)
    places = [place for place, each in enumerate(catalogue.game.pool) if each == game]
    return int(np.count_nonzero(answered & np.isin(catalogue.game.ids, places)))


class UseBlock(Section):
    """Sentences and one step.

    Signals:
        list_wanted: show the servers by their distance to the user's skill.
    """

    list_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("In use"))
        self._use, self._why = sentence(theme, "text1", 13), sentence(theme)
        self.link = LinkButton(theme, _("See the list with “skill, to you”"), flush=True)
        self.link.clicked.connect(self.list_wanted)
        self._rank_title = Text(theme, _("Rank in your record"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        self._rank, self._played = sentence(theme, "text1", 13), sentence(theme)
        for widget in (self._use, self._why, self.link, self._rank_title, self._rank, self._played):
            self.column.addWidget(widget)

    def show_use(self, points: Points | None, servers: int, game: str, *, told: bool, system: str) -> None:
        """What the list uses; the rest as `use_words` has it."""
        use, why = use_words(points, servers, game, told=told, system=system)
        self._use.setText(use)
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self.link.setVisible(points is not None and servers > 0)

    def show_rank(self, now: Now, approximate: int) -> None:
        """The place among the record's players, and the rounds; of `approximate` it is not told who was there when."""
        self._rank.setText(rank_words(now))
        self._played.setText(played_words(now, approximate))

    def texts(self) -> tuple[str, str, str, str]:
        """What it says of the list, why, of the rank and of the rounds."""
        return self._use.text(), self._why.text(), self._rank.text(), self._played.text()
