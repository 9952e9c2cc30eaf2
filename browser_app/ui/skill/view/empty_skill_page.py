"""The My Skill page that is shown while there is no rating."""

import enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.widgets.basic_widgets import Button, CentredParagraph, IconLabel, Label, ProgressBar
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, fill_box
from browser_app.ui.widgets.page_elements import ScrollPage, SuggestionBlock
from browser_app.ui.widgets.theme import Theme

CONTENT_WIDTH = 440


class EmptyReason(enum.Enum):
    """Why there is nothing to show."""

    NO_ROUNDS = enum.auto()
    """No rounds are imported."""
    NO_OWN_ROUNDS = enum.auto()
    """None of the rounds matches the user's identities."""
    RATING_IN_PROGRESS = enum.auto()
    """The rating is being calculated."""
    RATING_CANCELLED = enum.auto()
    """The user cancelled the calculation."""


class EmptySkillPage(ScrollPage):
    """Page with one main action and suggestions.

    Signals:
        import_requested, identity_requested, sources_requested, folders_requested, rating_requested: the actions.
    """

    import_requested = Signal()
    identity_requested = Signal()
    sources_requested = Signal()
    folders_requested = Signal()
    rating_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("My Skill"))
        self.reason = EmptyReason.NO_ROUNDS
        self._icon = IconLabel(theme, "gauge", size=20)
        self.title_label = Label(theme, size=15, weight=QFont.Weight.DemiBold)
        self.explanation_label = CentredParagraph(theme, width=CONTENT_WIDTH)
        self.progress_bar = ProgressBar(theme, 220)
        self.progress_bar.setAccessibleName(_("Progress"))
        self.action_button = Button(theme, accented=True)
        self.import_button = Button(theme, _("Import files…"))
        self.drop_hint = Label(theme, _("or drop files and folders anywhere on this page"), role="text2", size=12)
        self.identity_block = SuggestionBlock(theme, "friend", _("Identity…"), self.identity_requested.emit)
        self.folder_block = SuggestionBlock(theme, "refresh", _("Watch a folder…"), self.folders_requested.emit)
        self.entered_skill_block = SuggestionBlock(theme, "gauge", _("Enter a number…"), self.sources_requested.emit)
        self.blocks = (self.identity_block, self.folder_block, self.entered_skill_block)
        self._fill_blocks()
        self._build_layout()
        self.action_button.clicked.connect(self._request_action)
        self.import_button.clicked.connect(self.import_requested)
        self.show_reason(EmptyReason.NO_ROUNDS, 0)

    def _fill_blocks(self) -> None:
        self.identity_block.show_texts(
            _("Your identity"),
            _(
                "Steam ID, Xonotic key or name, used to find your rounds. Stays on this computer unless "
                "you turn on an online source."
            ),
        )
        self.folder_block.show_texts(
            _("Automatic import"),
            _("Imports new rounds from a folder that a game writes to, such as NS2+, while Ready Room is open."),
        )
        self.entered_skill_block.show_texts(
            _("Your skill as a number"),
            _("If you have no round files, a number you enter or your in-game skill is used in the list."),
        )

    def _build_layout(self) -> None:
        above = (self._icon, self.title_label, self.explanation_label)
        action = (self.progress_bar, self.action_button, self.import_button, self.drop_hint)
        for block in self.blocks:
            block.setFixedWidth(CONTENT_WIDTH)
        fill_box(
            self.content_layout,
            Stretch(factor=2),
            *(Aligned(widget, Qt.AlignmentFlag.AlignHCenter) for widget in (*above, *action)),
            8,
            *(fill_box(QHBoxLayout(), Stretch(), block, Stretch()) for block in self.blocks),
            Stretch(factor=3),
            margins=(0, 16, 0, 16),
        )

    def show_reason(self, reason: EmptyReason, rounds: int) -> None:
        """Show why there is nothing; `rounds`: number of imported rounds."""
        self.reason = reason
        title, explanation, action = _reason_texts(reason, rounds)
        self.title_label.setText(title)
        self.explanation_label.show_text(explanation)
        self.action_button.setText(action)
        self.action_button.updateGeometry()
        rating = reason is EmptyReason.RATING_IN_PROGRESS
        self.action_button.setVisible(not rating)
        for widget in (self.drop_hint, *self.blocks):
            widget.setVisible(reason in (EmptyReason.NO_ROUNDS, EmptyReason.NO_OWN_ROUNDS))
        self.import_button.setVisible(reason is EmptyReason.NO_OWN_ROUNDS)
        self.identity_block.button.setVisible(reason is not EmptyReason.NO_OWN_ROUNDS)
        self.progress_bar.setVisible(False)

    def show_progress(self, work: WorkProgress | None) -> None:
        """Show the progress of the calculation."""
        self.progress_bar.setVisible(
            self.reason is EmptyReason.RATING_IN_PROGRESS and work is not None and work.total > 0
        )
        if work is not None and work.total:
            self.progress_bar.set_progress(work.done / work.total)

    def _request_action(self) -> None:
        signals = {
            EmptyReason.NO_OWN_ROUNDS: self.identity_requested,
            EmptyReason.RATING_CANCELLED: self.rating_requested,
        }
        signals.get(self.reason, self.import_requested).emit()


def _reason_texts(reason: EmptyReason, rounds: int) -> tuple[str, str, str]:
    """Return title, explanation and the main action's text."""
    known = ngettext("{n} round imported", "{n} rounds imported", rounds).format(n=integer_text(rounds))
    if reason is EmptyReason.NO_OWN_ROUNDS:
        explanation = _(
            "None could be matched to you. Set your identity to see your rating, its history and what changed it."
        )
        return known, explanation, _("Set your identity…")
    if reason is EmptyReason.RATING_IN_PROGRESS:
        return _("Your rounds are being rated"), _("This happens once. Later, only new rounds are added."), ""
    if reason is EmptyReason.RATING_CANCELLED:
        return _("Your rounds are not rated"), _("The calculation was cancelled."), _("Rate now")
    explanation = _("No rounds imported yet. Until your skill is known, it does not affect server scores.")
    return _("Your skill is based on your own rounds"), explanation, _("Import files…")
