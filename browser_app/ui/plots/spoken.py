"""Plots as screen readers know them: graphics, told by their summary and by the point pointed at."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget


class Graphic(QWidget):
    """A widget that is told as a graphic; Qt knows of no other way to say what a painted widget is."""

    def __init__(self) -> None:
        super().__init__()
        if not _installed:
            QAccessible.installFactory(_interface)
            _installed.append(True)


_installed: list[bool] = []


def _interface(_class_name: str, thing: QObject) -> QAccessibleInterface | None:
    return QAccessibleWidget(thing, QAccessible.Role.Graphic) if isinstance(thing, Graphic) else None
