"""Play Now's place in the top bar: the button, the choice it would make, one sentence why, and the countdown."""

from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import ElidedText, Text
from browser_app.ui.play_button import PlayButton, PlayState
from browser_app.ui.theme import Theme

_FRAME_MS = 33
_NAME_WIDTH = 320
"""At most; the name makes room before its numbers do."""


class PlayBar(QWidget):
    """Shows what Play Now is doing; decides nothing.

    Signals:
        play_wanted: the user pressed Play Now.
        cancel_wanted: the user pressed Cancel.
        countdown_over: the time to cancel has passed; launch now.
    """

    play_wanted = Signal()
    cancel_wanted = Signal()
    countdown_over = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.button = PlayButton(theme)
        self.button.clicked.connect(self._pressed)
        self._name = ElidedText(theme, weight=QFont.Weight.DemiBold)
        self._numbers = Text(theme, role="text2")
        self._sentence = ElidedText(theme, role="text2", size=12)
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._tick)
        self._countdown_text, self._countdown_ms = "", 1.0
        self._lay_out()

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self._name)
        first.addWidget(self._numbers)
        first.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addLayout(first)
        words.addWidget(self._sentence)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.button)
        row.addLayout(words, 1)

    def show_choice(self, name: str, numbers: str, sentence: str) -> None:
        """Idle: the server a press would choose now."""
        self._show(PlayState.READY, name, numbers, sentence)

    def show_nothing(self, headline: str, sentence: str) -> None:
        """Idle: there is nothing to choose, and why."""
        self._show(PlayState.NOTHING, headline, "", sentence)

    def show_notice(self, headline: str, sentence: str, *, can_play: bool) -> None:
        """Idle: what came of the last press. `can_play`: there is a choice for the next one."""
        self._show(PlayState.READY if can_play else PlayState.NOTHING, headline, "", sentence)

    def show_busy(self, headline: str, sentence: str) -> None:
        """At work: the button cancels."""
        self._show(PlayState.BUSY, headline, "", sentence)

    def start_countdown(self, headline: str, sentence: str, seconds: float) -> None:
        """Count `seconds` down, then emit `countdown_over`; the button cancels meanwhile."""
        self._show(PlayState.BUSY, headline, "", sentence)
        self._countdown_text, self._countdown_ms = sentence, seconds * 1000
        self._clock.start()
        self._timer.start()
        self._tick()

    def add_news(self, sentence: str) -> None:
        """Say something more during the countdown."""
        self._countdown_text = f"{self._countdown_text} {sentence}"
        self._tick()

    def stop_countdown(self) -> None:
        """Nothing is launched."""
        self._timer.stop()
        self.update()

    @property
    def counting_down(self) -> bool:
        """A launch is about to happen."""
        return self._timer.isActive()

    def texts(self) -> tuple[str, str, str]:
        """Headline, numbers and sentence as shown."""
        return self._name.text(), self._numbers.text(), self._sentence.text()

    def _show(self, state: PlayState, name: str, numbers: str, sentence: str) -> None:
        self._timer.stop()
        self.button.set_state(state)
        self._name.setText(name)
        self._numbers.setText(numbers)
        self._sentence.setText(sentence)
        self.button.setAccessibleDescription(f"{name} {numbers}. {sentence}")
        self._name.setMaximumWidth(min(self._name.fontMetrics().horizontalAdvance(name) + 2, _NAME_WIDTH))
        self.update()

    def _pressed(self) -> None:
        if self.button.state is PlayState.BUSY:
            self.stop_countdown()
            self.cancel_wanted.emit()
        else:
            self.play_wanted.emit()

    def _tick(self) -> None:
        left = self._countdown_ms - self._clock.elapsed()
        if left <= 0:
            self._timer.stop()
            self.update()
            self.countdown_over.emit()
            return
        starts = _("Starts in {seconds} s.").format(seconds=f"{left / 1000:.1f}")
        self._sentence.setText(f"{self._countdown_text} {starts}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the countdown's bar along the lower edge."""
        if self._timer.isActive():
            left = max(0.0, self._countdown_ms - self._clock.elapsed()) / self._countdown_ms
            width = round((self.width() - 12) * left)
            QPainter(self).fillRect(12, self.height() - 4, width, 4, self._theme.palette.color("accent"))
