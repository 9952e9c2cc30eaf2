"""What is laid over one's own rating: offered, asked for, and taken off again."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, Signal

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import Shown
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.own_history import OwnHistory
from browser_app.player.sampled_course import SampledCourse
from browser_app.ui.controls import Button
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.skill.over_time.overlay_picker import Offer, OverlayPicker
from browser_app.ui.skill.over_time.picture import Overlay
from browser_app.ui.skill.over_time.trace import trace_of, usual_mode
from browser_app.ui.skill.over_time.words import sampled_title
from browser_app.ui.skill.source_words import SCALES
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.theme import Theme

_SYSTEM, _PLAYER, _MODE, _SAMPLED = "system", "player", "mode", "sampled"


class OverlayControl(QObject):
    """A button that says what is laid over: a press takes that off, or offers what there is.

    Signals:
        changed: `overlay` differs.
    """

    changed = Signal()

    def __init__(self, theme: Theme, panel: SkillPanel) -> None:
        self.button = Button(theme)
        super().__init__(self.button)
        self._panel = panel
        self._shown: Shown | None = None
        self._mode: str | None = None
        self._players: tuple[Offer, ...] = ()
        self._sampled: tuple[Offer, ...] = ()
        self._asked: Offer | None = None
        self.overlay: Overlay | None = None
        self.picker = OverlayPicker(theme, self.button)
        self.picker.chosen.connect(self.choose)
        self.button.clicked.connect(self._press)
        self._name_button()

    def show_data(self, shown: Shown | None, mode: str | None) -> None:
        """Other data are shown; an overlay of another game or system goes, another one is asked for anew."""
        before, self._shown, self._mode = self._shown, shown, mode
        if shown is None or before is None or (before.game.id, before.system) != (shown.game.id, shown.system):
            self._players = self._sampled = ()
            self._asked = self.overlay = None
        elif self._asked is not None and before.history is not shown.history:
            self.choose(self._asked)
        self._name_button()

    def offers(self) -> list[Offer]:
        """Other systems, other modes where each has a rating of its own, what services said, and players, as known."""
        shown = self._shown
        if shown is None:
            return []
        systems = [
            Offer(f"{_SYSTEM}:{name}", system_title(name)) for name in self._panel.systems if name != shown.system
        ]
        counts = np.bincount(shown.history.mode[shown.history.mode >= 0], minlength=len(shown.history.modes))
        modes = [
            Offer(f"{_MODE}:{name}", _("Mode {mode}").format(mode=name), _rounds(int(count)))
            for name, count in zip(shown.history.modes, counts, strict=True)
            if self._mode is not None and name != self._mode and count
        ]
        return [*systems, *modes, *self._sampled, *self._players]

    def choose(self, offer: Offer) -> None:
        """Lay it over, as soon as it was calculated."""
        self._asked = offer
        kind, _colon, value = offer.key.partition(":")
        if kind == _SYSTEM:
            self._panel.other_history(partial(self._lay, offer, own_scale=True), system=value)
        elif kind == _PLAYER:
            self._panel.other_history(partial(self._lay, offer), player=value)
        elif kind == _SAMPLED:
            self._panel.sampled(partial(self._lay_sampled, offer))
        elif self._shown is not None:
            self._lay(offer, self._shown.history, mode=value)

    def take_off(self) -> None:
        """Nothing is laid over."""
        self._asked = self.overlay = None
        self._name_button()
        self.changed.emit()

    def _lay(self, offer: Offer, history: OwnHistory, *, own_scale: bool = False, mode: str | None = None) -> None:
        if offer is not self._asked:
            return
        if own_scale:  # that system may rate modes apart even if the shown one does not
            mode = usual_mode(history)
        elif mode is None:
            mode = self._mode
        course, title = trace_of(history, mode), offer.title
        if not len(course):
            title = _("{name}, nothing rated").format(name=title)
        elif own_scale:
            title = _("{name}, right scale").format(name=title)
        self._show(Overlay(offer.key, title, course, own_scale, history))

    def _lay_sampled(self, offer: Offer, courses: Sequence[SampledCourse]) -> None:
        course = next((each for each in courses if _key(each) == offer.key), None)
        if offer is not self._asked or course is None or self._shown is None:
            return
        own_scale = SCALES.get(course.source) != self._shown.system
        title = _("{name}, sampled").format(name=offer.title)
        if own_scale:
            title = _("{name}, right scale").format(name=title)
        self._show(Overlay(offer.key, title, course, own_scale))

    def _show(self, overlay: Overlay) -> None:
        self.overlay = overlay
        self._name_button()
        self.changed.emit()

    def read_again(self) -> None:
        """A source says something else: what is laid over of it has grown."""
        if self._asked is not None and self._asked.key.startswith(f"{_SAMPLED}:"):
            self._panel.sampled(partial(self._lay_sampled, self._asked))

    def _press(self) -> None:
        if self._asked is not None:
            self.take_off()
            return
        self.picker.open_at(self.button.mapToGlobal(self.button.rect().bottomLeft()) + QPoint(0, 2), self.offers())
        self._panel.sampled(self._take_sampled)
        if not self._players:
            self._panel.players(self._take_players)

    def _take_sampled(self, courses: Sequence[SampledCourse]) -> None:
        several = len({course.identity for course in courses}) > 1
        self._sampled = tuple(
            Offer(_key(each), sampled_title(each), each.identity if several else _samples(len(each)))
            for each in courses
        )
        self.picker.show_offers(self.offers())

    def _take_players(self, players: Sequence[tuple[str, str, int]]) -> None:
        me = self._shown.history.player if self._shown is not None else ""
        offers = [
            Offer(f"{_PLAYER}:{id_}", name, _rounds(rounds)) for id_, name, rounds in players if rounds and id_ != me
        ]
        self._players = tuple(offers)
        self.picker.show_offers(self.offers())

    def _name_button(self) -> None:
        title = self._asked.title if self._asked is not None else _("Lay over…")
        self.button.set_icon("close" if self._asked is not None else "friend")
        self.button.setText(title)
        spoken = _("Take {name} off").format(name=title) if self._asked is not None else _("Lay another rating over")
        self.button.setAccessibleName(spoken)
        self.button.setToolTip(spoken)
        self.button.setEnabled(self._shown is not None)
        self.button.updateGeometry()


def _key(course: SampledCourse) -> str:
    return f"{_SAMPLED}:{course.source}:{course.identity}:{course.mode}"


def _samples(count: int) -> str:
    return ngettext("{n} sample", "{n} samples", count).format(n=points_words(count))


def _rounds(count: int) -> str:
    return ngettext("{n} round", "{n} rounds", count).format(n=points_words(count))
