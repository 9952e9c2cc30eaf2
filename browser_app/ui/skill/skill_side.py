"""The skill view's side: its pages, the games with a record, and who the user is."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext, pgettext
from browser_app.player.identities import Identity
from browser_app.ui.controls import Button, Text
from browser_app.ui.fold_button import FoldButton
from browser_app.ui.link_button import LinkButton
from browser_app.ui.side_list import NARROW_WIDTH
from browser_app.ui.skill.side_lines import SideLines
from browser_app.ui.skill.side_lines_model import SideLine
from browser_app.ui.theme import Theme

WIDTH, TOP, MARGIN = 164, 6, 12


class SkillSide(QWidget):
    """Pages and games; folded to icons where room is short.

    Signals:
        page_chosen, game_chosen: keys.
        who_wanted: the user wants to say who they are.
        fold_wanted: fold it to icons, or open it.
    """

    page_chosen = Signal(str)
    game_chosen = Signal(str)
    who_wanted = Signal()
    fold_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.narrow = False
        self.pages = SideLines(theme, _("Pages of My skill"), filled=True)
        self.games = SideLines(theme, _("Games"), filled=False)
        self._titles = [Text(theme, words, role="text2", size=12, weight=QFont.Weight.DemiBold) for words in _titles()]
        self.who = Text(theme, role="text2", size=12)
        self.who.setWordWrap(True)
        self.change = LinkButton(theme, pgettext("what to do", "Change"), flush=True)
        self.change.setAccessibleName(_("Change who I am"))
        self.who_button = Button(theme, "", "friend")
        self.who_button.setAccessibleName(_("Who I am"))
        self.who_button.setToolTip(_("Who I am"))
        self.fold = FoldButton(theme)
        self.pages.chosen.connect(self.page_chosen)
        self.games.chosen.connect(self.game_chosen)
        self.change.clicked.connect(self.who_wanted)
        self.who_button.clicked.connect(self.who_wanted)
        self.fold.clicked.connect(self.fold_wanted)
        self._lay_out()
        self.show_games((), "")
        self.show_identities(())
        self.set_narrow(False)
        theme.changed.connect(self.update)

    def _lay_out(self) -> None:
        self._who_box = QWidget()
        words = QVBoxLayout(self._who_box)
        words.setContentsMargins(MARGIN, 0, MARGIN - 4, 0)
        words.setSpacing(0)
        words.addWidget(self._titles[1])
        words.addSpacing(4)
        words.addWidget(self.who)
        words.addWidget(self.change)
        words.setAlignment(self.change, Qt.AlignmentFlag.AlignLeft)
        self._titles[0].setContentsMargins(MARGIN, 10, MARGIN, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, TOP, 1, 4)
        column.setSpacing(0)
        for widget in (self.pages, self._titles[0], self.games):
            column.addWidget(widget)
        column.addSpacing(10)
        column.addWidget(self._who_box)
        column.addWidget(self.who_button, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        column.addWidget(self.fold)

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or titles and numbers, too. Games have no icon: the header offers them then."""
        self.narrow = narrow
        self.setFixedWidth(NARROW_WIDTH if narrow else WIDTH)
        self.pages.set_narrow(narrow)
        self.fold.show_folded(folded=narrow)
        self._who_box.setVisible(not narrow)
        self.who_button.setVisible(narrow)
        self._show_lists()

    def _show_lists(self) -> None:
        for widget in (self._titles[0], self.games):
            widget.setVisible(not self.narrow and bool(self.games.lines()))

    def show_games(self, games: Sequence[tuple[str, str, int | None]], current: str) -> None:
        """Games by id, title, and how many of their rounds are the user's, None while that is not known."""
        self.games.show_lines(
            [SideLine(key, "", title, mine, _spoken(title, mine)) for key, title, mine in games], current
        )
        self._show_lists()

    def show_identities(self, identities: Sequence[Identity]) -> None:
        """Who the user is, counted by kind."""
        self.who.setText(identity_words(identities))

    def focus_order(self) -> tuple[QWidget, ...]:
        """What the tab key reaches, one after the other."""
        return (self.pages, self.games, self.change, self.who_button, self.fold)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the ground and the line at its inner edge."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.palette.color("window"))
        painter.setPen(self._theme.palette.color("hairline"))
        inner = self.width() - 1 if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else 0
        painter.drawLine(inner, 0, inner, self.height())


def _spoken(game: str, mine: int | None) -> str:
    if mine is None:
        return game
    words = ngettext("{game}, {n} round of yours", "{game}, {n} rounds of yours", mine)
    return words.format(game=game, n=mine)


def _titles() -> tuple[str, str]:
    return _("Games"), _("Who I am")


def identity_words(identities: Sequence[Identity]) -> str:
    """`2 Steam identities, 1 Xonotic fingerprint`; that nobody is named, else."""
    counts = {kind: sum(each.kind == kind for each in identities) for kind in ("steam", "xonotic", "name")}
    words = {
        "steam": ngettext("{n} Steam identity", "{n} Steam identities", counts["steam"]),
        "xonotic": ngettext("{n} Xonotic fingerprint", "{n} Xonotic fingerprints", counts["xonotic"]),
        "name": ngettext("{n} name", "{n} names", counts["name"]),
    }
    told = [words[kind].format(n=number) for kind, number in counts.items() if number]
    return ",\n".join(told) if told else _("Nobody yet: rounds cannot be told to be yours.")
