"""The page while there is nothing to show: what is so, why, and how rounds come in."""

import enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout

from browser_app.bridge.skill.shown import Work
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Button, Text
from browser_app.ui.first_run import Block
from browser_app.ui.paragraph import Paragraph
from browser_app.ui.skill.scrolled import Scrolled
from browser_app.ui.status_line import IconMark, ProgressBar
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

WIDTH = 440
_MIDDLE = Qt.AlignmentFlag.AlignHCenter


class Lack(enum.Enum):
    """Why there is nothing to show."""

    ROUNDS = enum.auto()
    """No rounds are known."""
    SELF = enum.auto()
    """None of the rounds is known to be the user's."""
    RATING = enum.auto()
    """It is being worked out."""
    STOPPED = enum.auto()
    """The user stopped that."""


class SkillEmpty(Scrolled):
    """One screen, one accented step.

    Signals:
        import_wanted, who_wanted, sources_wanted, folders_wanted, rating_wanted: the steps.
    """

    import_wanted = Signal()
    who_wanted = Signal()
    sources_wanted = Signal()
    folders_wanted = Signal()
    rating_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("My skill"))
        self.lack = Lack.ROUNDS
        self._mark = IconMark(theme, "gauge", size=20)
        self.what = Text(theme, size=15, weight=QFont.Weight.DemiBold)
        self.why = Paragraph(theme, width=WIDTH)
        self.bar = ProgressBar(theme, 220)
        self.bar.setAccessibleName(_("Progress"))
        self.step = Button(theme, accented=True)
        self.hint = Text(theme, _("or drop files and folders anywhere on this page"), role="text2", size=12)
        self.who = Block(theme, "friend", _("Who I am…"), self.who_wanted.emit)
        self.folder = Block(theme, "refresh", _("Watch a folder…"), self.folders_wanted.emit)
        self.number = Block(theme, "gauge", _("Type a number…"), self.sources_wanted.emit)
        self.blocks = (self.who, self.folder, self.number)
        self._say()
        self._lay_out()
        self.step.clicked.connect(self._do)
        self.show_lack(Lack.ROUNDS, 0)

    def _say(self) -> None:
        self.who.say(
            _("Who you are"),
            _("Steam id, Xonotic key or name: it tells your rounds from those of others. It stays on this computer."),
        )
        self.folder.say(
            _("New rounds by themselves"),
            _("A folder that a game writes its rounds to, such as NS2+ does, is looked at while this window is open."),
        )
        self.number.say(
            _("A number alone"),
            _("Where no rounds can be had, a number you type in, or that the game tells, counts in the list, too."),
        )

    def _lay_out(self) -> None:
        column = self.column
        column.setContentsMargins(0, 16, 0, 16)
        column.setSpacing(8)
        column.addStretch(2)
        for widget in (self._mark, self.what, self.why, self.bar, self.step, self.hint):
            column.addWidget(widget, alignment=_MIDDLE)
        column.addSpacing(8)
        for block in self.blocks:
            block.setFixedWidth(WIDTH)
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(block)
            row.addStretch(1)
            column.addLayout(row)
        column.addStretch(3)

    def show_lack(self, lack: Lack, rounds: int) -> None:
        """Say why there is nothing; `rounds` are known."""
        self.lack = lack
        what, why, step = _words(lack, rounds)
        self.what.setText(what)
        self.why.show_text(why)
        self.step.setText(step)
        self.step.updateGeometry()
        rating = lack is Lack.RATING
        self.step.setVisible(not rating)
        for widget in (self.hint, *self.blocks):
            widget.setVisible(lack in (Lack.ROUNDS, Lack.SELF))
        self.who.button.setVisible(lack is not Lack.SELF)
        self.bar.setVisible(False)

    def show_work(self, work: Work | None) -> None:
        """How far the rating is."""
        self.bar.setVisible(self.lack is Lack.RATING and work is not None and work.total > 0)
        if work is not None and work.total:
            self.bar.set_share(work.done / work.total)

    def _do(self) -> None:
        steps = {Lack.SELF: self.who_wanted, Lack.STOPPED: self.rating_wanted}
        steps.get(self.lack, self.import_wanted).emit()


def _words(lack: Lack, rounds: int) -> tuple[str, str, str]:
    """What is so, why, and the step."""
    known = ngettext("{n} round is known", "{n} rounds are known", rounds).format(n=thousands(rounds))
    if lack is Lack.SELF:
        why = _("None is known to be yours. Say who you are: your rating, its history and its causes follow.")
        return known, why, _("Say who I am…")
    if lack is Lack.RATING:
        return _("Your rounds are being rated"), _("This is done once; afterwards only what is new is added."), ""
    if lack is Lack.STOPPED:
        return _("Your rounds are not rated"), _("You stopped it before it was done."), _("Rate them")
    why = _(
        "No rounds are known yet, so your skill is unknown and does not count in the score. "
        "It never counts against a server."
    )
    return _("Your skill comes from your own rounds"), why, _("Import files…")
