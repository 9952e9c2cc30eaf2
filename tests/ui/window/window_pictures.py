"""Pictures of windows, and texts that are cut off in them."""

import os
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from browser_app.language import gettext
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Label
from browser_app.ui.widgets.form_fields import MIN_TEXT_FIELD_WIDTH
from browser_app.ui.widgets.palette import Palette


def cut_texts(top: QWidget) -> list[str]:
    """Return visible texts that do not fit their widgets or are clipped by a parent."""
    return [
        f"{type(widget).__name__} {text!r}: {widget.size().toTuple()}, {problem}"
        for widget, text in _shown_texts(top)
        if (problem := _cut_text_problem(widget, text) or _clipped_problem(widget, top))
    ]


def narrow_fields(top: QWidget) -> list[str]:
    """Return the visible fields in which hardly any text fits."""
    return [
        f"{field.placeholderText()!r} has a width of {field.width()}"
        for field in top.findChildren(QLineEdit)
        if field.isVisibleTo(top) and field.placeholderText() and field.width() < MIN_TEXT_FIELD_WIDTH
    ]


def misplaced_buttons(dialog: QWidget) -> list[str]:
    """Return what is wrong with the buttons at the bottom.

    "Close" is the last one; "Cancel" stands right before the action that it cancels.
    """
    buttons = [each for each in dialog.findChildren(Button) if each.isVisibleTo(dialog)]
    lowest = max((each.mapTo(dialog, QPoint()).y() for each in buttons), default=0)
    row = [each for each in buttons if each.mapTo(dialog, QPoint()).y() == lowest]
    texts = [each.text() for each in sorted(row, key=lambda each: each.mapTo(dialog, QPoint()).x())]
    wanted = {gettext("Close"): -1, gettext("Cancel"): -2}
    return [f"{text!r} in {texts}" for text, place in wanted.items() if text in texts and texts[place] != text]


def needless_scroll_bars(top: QWidget) -> list[str]:
    """Return the empty lists that scroll sideways."""
    return [
        f"{view.accessibleName()!r} scrolls sideways without rows"
        for view in top.findChildren(QAbstractItemView)
        if view.isVisibleTo(top) and not view.model().rowCount() and view.horizontalScrollBar().maximum()
    ]


def _shown_texts(top: QWidget) -> Iterator[tuple[QWidget, str]]:
    for widget in top.findChildren(QWidget):
        if not widget.isVisibleTo(top):
            continue
        if isinstance(widget, QLabel | QAbstractButton) and widget.text():
            yield widget, widget.text()
        elif isinstance(widget, QTabBar):
            yield widget, " ".join(map(widget.tabText, range(widget.count())))


def _cut_text_problem(widget: QWidget, text: str) -> str:
    if isinstance(widget, ElidedLabel):
        return ""
    if isinstance(widget, QTabBar):
        last = max(widget.tabRect(place).right() for place in range(widget.count()))
        return "last tab is cut" if last > widget.width() else ""
    wraps = widget.hasHeightForWidth()
    lowest = widget.heightForWidth(widget.width()) if wraps else widget.fontMetrics().tightBoundingRect(text).height()
    if widget.height() < lowest:
        return f"needs a height of {lowest}"
    needed = widget.sizeHint() if isinstance(widget, Button) else widget.minimumSizeHint()
    return f"needs a width of {needed.width()}" if not wraps and widget.width() < needed.width() else ""


def _clipped_problem(widget: QWidget, top: QWidget) -> str:
    """Return which parent clips a widget; scroll areas may do so above and below."""
    parent = widget.parentWidget()
    while parent is not None and widget is not top:
        box = QRect(widget.mapTo(parent, QPoint()), widget.size())
        scrolls = isinstance(parent.parentWidget(), QAbstractScrollArea)
        if box.left() < 0 or box.right() >= parent.width():
            return f"clipped at the sides of {type(parent).__name__}"
        if not scrolls and (box.top() < 0 or box.bottom() >= parent.height()):
            return f"clipped above or below by {type(parent).__name__}"
        if scrolls or parent is top:
            break
        parent = parent.parentWidget()
    return ""


def elided_texts(top: QWidget) -> list[str]:
    """Return the visible labels that show none of their texts whole."""
    return [
        f"{label.text()!r}: {label.size().toTuple()}"
        for label in top.findChildren(ElidedLabel)
        if label.isVisibleTo(top) and label.visible_text not in (label.text(), *label._shorter_texts)
    ]


def wrong_colors(top: QWidget, palette: Palette) -> list[str]:
    """Return the visible labels and fields whose text is not in the palette's colour."""
    labels = [
        (label.text(), label.palette().color(label.foregroundRole()), palette.color(label._role))
        for label in top.findChildren(Label)
        if label.isVisibleTo(top)
    ]
    found: list[QLineEdit | QPlainTextEdit] = [*top.findChildren(QLineEdit), *top.findChildren(QPlainTextEdit)]
    fields = [
        (field.placeholderText(), field.palette().placeholderText().color(), palette.color("text3"))
        for field in found
        if field.isVisibleTo(top) and field.placeholderText()
    ]
    typed = [
        (field.text(), field.palette().text().color(), palette.color("text1"))
        for field in top.findChildren(QLineEdit)
        if field.isVisibleTo(top) and field.isEnabled()
    ]
    shown = labels + fields + typed
    return [f"{text!r} in {c.name()}, not {wanted.name()}" for text, c, wanted in shown if c != wanted]


def lay_out() -> None:
    """Let nested layouts follow a change, each by an event of its own."""
    for _ in range(5):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        QApplication.processEvents()


def picture_folder() -> str:
    """Return READY_ROOM_PICTURES, where `dev.py pictures` saves them, or nothing."""
    return os.environ.get("READY_ROOM_PICTURES", "")


def keep_picture(image: QImage, name: str, language: str) -> None:
    """Save a picture, if pictures are saved."""
    if folder := picture_folder():
        file = Path(folder, f"{name}-{language}-{100 * image.devicePixelRatio():.0f}.png")
        file.parent.mkdir(exist_ok=True)
        assert image.save(str(file)), file
