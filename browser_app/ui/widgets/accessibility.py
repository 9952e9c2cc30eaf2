"""Roles of plain widgets, and announcements, for screen readers."""

import sys
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QComboBox, QWidget

_SENTENCE_ENDS = (".", "…", "!", "?", ":")
_roles: WeakKeyDictionary[QObject, QAccessible.Role] = WeakKeyDictionary()


def install_accessible_roles() -> None:
    """Give plain widgets their roles; once for each application object.

    Qt has no widget property for the role, only an interface factory.
    """
    QAccessible.installFactory(_accessible_interface)


def set_accessible_role(widget: QWidget, role: QAccessible.Role) -> None:
    """Give a plain widget a role; buttons, fields and lists have their own."""
    _roles[widget] = role


def _accessible_interface(class_name: str, widget: QObject) -> QAccessibleInterface | None:
    """Return an interface with the widget's role, None for Qt's own.

    Qt asks for the class `QWidget` only after all others, so only plain widgets get this far.
    """
    if not isinstance(widget, QWidget):
        return None
    role = _roles.get(widget)
    if role is None and class_name == "QStackedWidget":
        role = QAccessible.Role.Grouping  # its own role is announced each time the focus moves in
    elif role is None and class_name == "QWidget":
        role = _role_of_plain_widget(widget)
    return None if role is None else QAccessibleWidget(widget, role)


def _role_of_plain_widget(widget: QWidget) -> QAccessible.Role | None:
    """Return the role of a window, of a named group or of a named picture."""
    if widget.isWindow() and widget.windowTitle():
        return QAccessible.Role.Window
    if not widget.accessibleName():
        return None
    is_picture = widget.layout() is None and not widget.findChildren(QWidget)
    return QAccessible.Role.Graphic if is_picture else QAccessible.Role.Grouping


def name_combo_box(box: QComboBox, name: str) -> None:
    """Name a combo box that has no label.

    On Linux, Qt reports the chosen text as the name; the description is reported everywhere.
    """
    box.setAccessibleName(name)
    if sys.platform == "linux":
        box.setAccessibleDescription(name)


def update_texts(
    widget: QWidget, *, name: str | None = None, description: str | None = None, tool_tip: str | None = None
) -> None:
    """Set those of a widget's texts that differ.

    Qt would announce a change of the others, too.
    """
    if name is not None and name != widget.accessibleName():
        widget.setAccessibleName(name)
    if description is not None and description != widget.accessibleDescription():
        widget.setAccessibleDescription(description)
    if tool_tip is not None and tool_tip != widget.toolTip():
        widget.setToolTip(tool_tip)


SILENT_CELL = " "
"""Accessible text of a silent cell: Qt replaces an empty one by the visible text."""


def row_texts(titles: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the accessible texts of a row's cells.

    The first has the text of the whole row, the others none, because some screen readers read all cells of a row and
    others only the one with the focus.
    """
    rest = (f"{title} {text}".strip() for title, text in zip(titles[1:], texts[1:], strict=False) if text)
    return [", ".join((texts[0], *rest)), *(SILENT_CELL for _text in texts[1:])]


def announce(widget: QWidget, *sentences: str, is_urgent: bool = False) -> None:
    """Have a screen reader say sentences.

    They wait for what is being said, unless they are urgent.
    """
    text = " ".join(each if each.endswith(_SENTENCE_ENDS) else f"{each}." for each in sentences if each)
    if not text or not widget.isVisible():
        return
    event = QAccessibleAnnouncementEvent(widget, text)
    if is_urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)
