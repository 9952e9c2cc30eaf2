"""Menus: plain entries, choices with counts, and the overflow button."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence, QMouseEvent, QPalette
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.paths import resource_folder
from browser_app.ui.widgets.basic_widgets import Button
from browser_app.ui.widgets.theme import Theme

MenuEntry = tuple[str, Callable[[], object]]
KeyedMenuEntry = tuple[str, Callable[[], object], str]
"""Also the key that does the same outside the menu, which the menu shows."""


class ThemedMenu(QMenu):
    """A menu whose frame, lines, arrows and check boxes can be seen in every theme.

    It follows a change of the theme while it is open.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._colors: QPalette | None = None
        self._apply_style()
        parent.installEventFilter(self)  # a palette does not reach a widget with a style sheet

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the theme."""
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._apply_style()
        return super().eventFilter(watched, event)

    def _apply_style(self) -> None:
        colors = QApplication.palette()
        if colors != self._colors:
            self._colors = colors
            is_light = colors.window().color().lightness() > _MIDDLE_LIGHTNESS
            controls = (resource_folder() / "controls").as_posix()
            ink, paper = ("dark", "light") if is_light else ("light", "dark")
            self.setStyleSheet(_STYLE_SHEET.format(controls=controls, ink=ink, paper=paper))


_MIDDLE_LIGHTNESS = 127
_STYLE_SHEET = """
QMenu {{ background: palette(window); border: 1px solid palette(mid); padding: 1px; }}
QMenu::item {{ color: palette(window-text); padding: 4px 24px 4px 12px; }}
QMenu::item:selected {{ background: palette(highlight); }}
QMenu::item:disabled {{ color: palette(placeholder-text); }}
QMenu::separator {{ background: palette(midlight); height: 1px; margin: 3px 6px; }}
QMenu::indicator {{ background: palette(button); border: 1px solid palette(mid); border-radius: 2px;
    width: 12px; height: 12px; margin-left: 7px; }}
QMenu::indicator:checked {{ background: palette(link); border-color: palette(link);
    image: url("{controls}/check-{paper}.svg"); }}
QMenu::indicator:exclusive {{ border-radius: 7px; }}
QMenu::indicator:exclusive:checked {{ background: palette(button); border: 4px solid palette(link); image: none;
    width: 6px; height: 6px; }}
QMenu::right-arrow {{ image: url("{controls}/right-{ink}.svg"); width: 12px; height: 12px; margin-right: 4px; }}
QMenu::left-arrow {{ image: url("{controls}/left-{ink}.svg"); width: 12px; height: 12px; margin-left: 4px; }}
"""
"""Fusion derives frame, lines, arrows and boxes from the background, so that they are black in a black menu."""


def create_menu(parent: QWidget, entries: Iterable[MenuEntry | KeyedMenuEntry]) -> QMenu:
    """Return a menu of texts and callbacks; `popup` shows it."""
    menu = ThemedMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    add_entries(menu, entries)
    return menu


def add_entries(menu: QMenu, entries: Iterable[MenuEntry | KeyedMenuEntry | QAction]) -> None:
    """Append texts and callbacks to a menu, or actions that are owned elsewhere."""
    for entry in entries:
        if isinstance(entry, QAction):
            menu.addAction(entry)
            continue
        action = menu.addAction(entry[0], entry[1])
        for key in entry[2:]:
            _show_key(action, key)


def _show_key(action: QAction, key: str) -> None:
    """Show a key beside an entry; it is handled elsewhere."""
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # the menu never has the focus
    action.setShortcut(QKeySequence(key.replace("Return", "Enter")))  # as most keyboards and programs name it
    action.setShortcutVisibleInContextMenu(True)


def popup_menu(menu: QMenu, position: QPoint, on_open_changed: Callable[[bool], None]) -> None:
    """Show a menu at a global position.

    `on_open_changed` is called with True when it opens and False when it closes.
    """
    menu.aboutToShow.connect(lambda: on_open_changed(True))
    menu.aboutToHide.connect(lambda: on_open_changed(False))
    menu.popup(position)


class OverflowMenuButton(Button):
    """A "…" button that opens a menu below itself."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", "more", height=32)
        self.groups: list[Sequence[MenuEntry | KeyedMenuEntry | QAction]] = []
        self.setAccessibleName(_("More"))
        self.setToolTip(_("More"))
        self.clicked.connect(self._open_menu)

    def add_group(self, entries: Sequence[MenuEntry | KeyedMenuEntry | QAction]) -> None:
        """Append a group of entries, separated from those before it."""
        self.groups.append(entries)

    def _open_menu(self) -> None:
        menu = create_menu(self, ())
        for entries in self.groups:
            menu.addSeparator()  # Qt hides a separator that comes first
            add_entries(menu, entries)
        menu.popup(self.mapToGlobal(self.rect().bottomRight()) - QPoint(menu.sizeHint().width(), -2))


class MenuChoice(NamedTuple):
    """One entry of a `ChoiceMenu`."""

    value: str
    label: str
    server_count: int | None
    """Servers that would remain; None shows no number."""
    is_checked: bool


_FIGURE_SPACE = "\u2007"
"""As wide as a digit."""


def _aligned_counts(choices: Sequence[MenuChoice]) -> list[str]:
    """Return the numbers as texts of one width; Qt aligns them left."""
    texts = ["" if each.server_count is None else integer_text(each.server_count) for each in choices]
    width = max(map(len, texts), default=0)
    return [text.rjust(width, _FIGURE_SPACE) if text else "" for text in texts]


class ChoiceMenu(ThemedMenu):
    """A menu of checkable entries; labels may come from a server."""

    def __init__(
        self,
        parent: QWidget,
        choices: Sequence[MenuChoice],
        on_choice: Callable[[str, bool], object],
        *,
        multiple: bool,
    ) -> None:
        """Create the menu.

        Args:
            parent: owner of the menu.
            choices: the entries.
            on_choice: called with a value and whether it is checked now.
            multiple: several entries may be checked.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._multiple = multiple
        group = None if multiple else QActionGroup(self)
        counts = _aligned_counts(choices)
        for choice, count in zip(choices, counts, strict=True):
            self.addAction(self._create_action(choice, count, on_choice, group))
        if not choices:
            self.addAction(_("Nothing to choose from")).setEnabled(False)

    def _create_action(
        self, choice: MenuChoice, count: str, choose: Callable[[str, bool], object], group: QActionGroup | None
    ) -> QAction:
        action = QAction(choice.label.replace("&", "&&").replace("\t", " ") + (f"\t{count}" if count else ""), self)
        action.setCheckable(True)
        action.setChecked(choice.is_checked)
        if group is not None:
            group.addAction(action)
        action.triggered.connect(lambda on: choose(choice.value, on))
        return action

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Toggle the clicked entry; keep the menu open if several may be checked."""
        action = self.actionAt(event.position().toPoint())
        if self._multiple and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Toggle with Space and keep the menu open if several may be checked."""
        action = self.activeAction()
        if self._multiple and event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)
