"""The head of the page *Now*: the rating, where it stands, and how sure that is."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.now import Now
from browser_app.ui.controls import Hairline, Text
from browser_app.ui.skill.now_words import basis_words, doubt_words, range_source_words, standing_words
from browser_app.ui.skill.numbers import decimals_of, points_words
from browser_app.ui.skill.scale import scale_of
from browser_app.ui.skill.selectable import selectable, sentence
from browser_app.ui.skill.tier_scale import TierScale
from browser_app.ui.theme import Theme

WIDE_FROM = 720
"""In less room the doubt stands under the rating."""
_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom


class NowHead(QWidget):
    """Numbers and sentences, and the scale below them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._wide: bool | None = None
        self.rating = selectable(Text(theme, size=40, weight=QFont.Weight.DemiBold))
        self.rating.setAccessibleDescription(_("Rating"))
        self.standing = selectable(Text(theme, size=15, weight=QFont.Weight.DemiBold))
        self.next = sentence(theme, size=13)
        self.doubt, self.basis, self.source = sentence(theme, size=13), sentence(theme), sentence(theme)
        self.scale = TierScale(theme)
        self._grid = QGridLayout()
        self._lay_out(theme)
        self.arrange(wide=True)

    def _lay_out(self, theme: Theme) -> None:
        standing = QVBoxLayout()
        standing.setSpacing(2)
        standing.addStretch(1)
        standing.addWidget(self.standing)
        standing.addWidget(self.next)
        standing.addSpacing(4)
        self._sure = QWidget()
        sure = QVBoxLayout(self._sure)
        sure.setContentsMargins(0, 0, 0, 4)
        sure.setSpacing(2)
        sure.addStretch(1)
        for words in (self.doubt, self.basis, self.source):
            sure.addWidget(words)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(4)
        self._grid.addWidget(self.rating, 0, 0, Qt.AlignmentFlag.AlignBottom)
        self._grid.addLayout(standing, 0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Hairline(theme, "border"))
        column.addSpacing(12)
        column.addLayout(self._grid)
        column.addSpacing(8)
        column.addWidget(self.scale)

    def arrange(self, *, wide: bool) -> None:
        """The doubt at the end of the line, or under it."""
        if wide == self._wide:
            return
        self._wide = wide
        self._grid.removeWidget(self._sure)
        place = (0, 2, 1, 1) if wide else (1, 0, 1, 3)
        self._grid.addWidget(self._sure, *place)
        self._grid.setColumnStretch(1, 2 if wide else 1)
        self._grid.setColumnStretch(2, 3 if wide else 0)
        for words in (self.doubt, self.basis, self.source):
            words.setAlignment(_END if wide else Qt.AlignmentFlag.AlignLeft)

    def show_now(self, now: Now, system: str, *, solving: bool = False) -> None:
        """Show a rating; `solving`: it is being worked out how sure it is."""
        self.rating.setText(points_words(now.value, decimals_of(system)))
        standing, following = standing_words(now, system)
        for label, words in (
            (self.standing, standing),
            (self.next, following),
            (self.doubt, doubt_words(now, system)),
            (self.basis, basis_words(now)),
            (self.source, range_source_words(now, solving=solving)),
        ):
            label.setText(words)
            label.setVisible(bool(words))
        self.scale.show_scale(scale_of(now, system))
