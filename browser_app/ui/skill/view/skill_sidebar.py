"""The sidebar of My Skill: pages, games and the user's identity."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext, pgettext
from browser_app.number_text import integer_text
from browser_app.player.player_identities import Identity
from browser_app.ui.settings.keyboard_shortcuts import text_with_shortcut
from browser_app.ui.widgets.basic_widgets import Button, Label, fill_edges
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, fill_box
from browser_app.ui.widgets.buttons import CollapseButton, LinkButton
from browser_app.ui.widgets.sidebar_parts import (
    COLLAPSED_ITEM_HEIGHT,
    COLLAPSED_SIDEBAR_WIDTH,
    SIDEBAR_ITEM_HEIGHT,
    SidebarItemContent,
    SidebarItemPainter,
)
from browser_app.ui.widgets.tables.painted_list_model import PaintedListModel, set_up_painted_list
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme


class SkillSidebarItem(NamedTuple):
    """An item; a `number` of None is not shown."""

    key: str
    icon: str
    title: str
    number: int | None
    accessible_text: str


class SkillSidebarList(QListView):
    """List of pages or games, painted by a delegate.

    Signals:
        item_chosen: key of the chosen item.
    """

    item_chosen = Signal(str)

    def __init__(self, theme: Theme, name: str, *, filled: bool) -> None:
        """Create the list.

        `filled` gives the current item the selection's background, not only bold text.
        """
        super().__init__()
        self._list_model = PaintedListModel[SkillSidebarItem](key=lambda item: item.key)
        set_up_painted_list(self, self._list_model, name)
        self.current = ""
        self.is_collapsed = False
        self.setItemDelegate(_SidebarItemDelegate(theme, self, self._list_model, filled=filled))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        theme.changed.connect(self.viewport().update)

    def show_items(self, items: Sequence[SkillSidebarItem], current: str) -> None:
        """Show these items; emits nothing."""
        self.current = current
        self._list_model.set_items(tuple(items))
        self._fit_height()
        self._mark_current()

    def set_collapsed(self, collapsed: bool) -> None:
        """Show only icons, or also titles and numbers."""
        self.is_collapsed = collapsed
        self._fit_height()
        self.doItemsLayout()

    def choose(self, key: str) -> None:
        """Make an item current and emit `item_chosen`."""
        if key != self.current and self._list_model.row_of(key) >= 0:
            self.current = key
            self._mark_current()
            self.item_chosen.emit(key)

    def move_current(self, by: int) -> None:
        """Choose the item `by` positions further, wrapping around."""
        keys = [line.key for line in self._list_model.items]
        self.choose(keys[(keys.index(self.current) + by) % len(keys)])

    def items(self) -> tuple[SkillSidebarItem, ...]:
        """Return the shown items."""
        return self._list_model.items

    def selectionCommand(self, index: ModelIndex, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:  # noqa: ARG002
        """Keep the selection when an empty area is clicked."""
        flags = QItemSelectionModel.SelectionFlag
        return flags.ClearAndSelect if index.isValid() else flags.NoUpdate

    def _fit_height(self) -> None:
        self.setFixedHeight(
            len(self._list_model.items) * (COLLAPSED_ITEM_HEIGHT if self.is_collapsed else SIDEBAR_ITEM_HEIGHT)
        )

    def _mark_current(self) -> None:
        row = self._list_model.row_of(self.current)
        self.setCurrentIndex(self._list_model.index(row))
        self.setAccessibleDescription(self._list_model.items[row].accessible_text if row >= 0 else "")
        self.viewport().update()

    def _on_selection_changed(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        for index in selected.indexes():
            self.choose(self._list_model.items[index.row()].key)


class _SidebarItemDelegate(QStyledItemDelegate):
    def __init__(
        self, theme: Theme, parent: SkillSidebarList, model: PaintedListModel[SkillSidebarItem], *, filled: bool
    ) -> None:
        super().__init__(parent)
        self._list, self._model, self._filled = parent, model, filled
        self._item_painter = SidebarItemPainter(theme, parent)

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: ARG002
        """Return the height of an item, which is larger for a lone icon."""
        return QSize(0, COLLAPSED_ITEM_HEIGHT if self._list.is_collapsed else SIDEBAR_ITEM_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint one item."""
        line = self._model.items[index.row()]
        number = "" if line.number is None else integer_text(line.number)
        current = line.key == self._list.current
        drawn = SidebarItemContent(line.icon, line.title, number, current, filled=self._filled)
        self._item_painter.draw_item(painter, QRect(option.rect), drawn, narrow=self._list.is_collapsed)


SIDEBAR_WIDTH, TOP_MARGIN, SIDE_MARGIN = 184, 6, 12


class SkillSidebar(QWidget):
    """Sidebar with pages, games and identity; collapses to icons.

    Signals:
        page_chosen, game_chosen: keys.
        identity_requested: open the dialog of identities.
        collapse_requested: collapse or expand the sidebar.
    """

    page_chosen = Signal(str)
    game_chosen = Signal(str)
    identity_requested = Signal()
    collapse_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.is_collapsed = False
        self.page_list = SkillSidebarList(theme, _("My Skill pages"), filled=True)
        self.game_list = SkillSidebarList(theme, _("Games"), filled=False)
        self._title_labels = [
            Label(theme, words, role="text2", size=12, weight=QFont.Weight.DemiBold)
            for words in (_("Games"), _("Identity"))
        ]
        self.identity_label = Label(theme, role="text2", size=12, wraps=True)
        self.change_link = LinkButton(theme, pgettext("what to do", "Change"), flush=True)
        self.change_link.setAccessibleName(_("Change identity"))
        self.identity_button = Button(theme, "", "friend")
        self.identity_button.setAccessibleName(_("Identity"))
        self.identity_button.setToolTip(_("Identity"))
        self.collapse_button = CollapseButton(theme, partial(text_with_shortcut, name="side"))
        self.page_list.item_chosen.connect(self.page_chosen)
        self.game_list.item_chosen.connect(self.game_chosen)
        self.change_link.clicked.connect(self.identity_requested)
        self.identity_button.clicked.connect(self.identity_requested)
        self.collapse_button.clicked.connect(self.collapse_requested)
        self._build_layout()
        self.show_games((), "")
        self.show_identities(())
        self.set_collapsed(False)
        theme.changed.connect(self.update)

    def _build_layout(self) -> None:
        self._identity_box = QWidget()
        games_title, identity_title = self._title_labels
        fill_box(
            QVBoxLayout(self._identity_box),
            identity_title,
            4,
            self.identity_label,
            Aligned(self.change_link, Qt.AlignmentFlag.AlignLeft),
            spacing=0,
            margins=(SIDE_MARGIN, 0, SIDE_MARGIN - 4, 0),
        )
        games_title.setContentsMargins(SIDE_MARGIN, 10, SIDE_MARGIN, 4)
        fill_box(
            QVBoxLayout(self),
            *(self.page_list, games_title, self.game_list, 10, self._identity_box),
            Aligned(self.identity_button, Qt.AlignmentFlag.AlignHCenter),
            *(Stretch(), self.collapse_button),
            spacing=0,
            margins=(0, TOP_MARGIN, 1, 4),
        )

    def set_collapsed(self, collapsed: bool) -> None:
        """Show only the pages' icons, or everything.

        Games have no icon: then the header offers them.
        """
        self.is_collapsed = collapsed
        self.setFixedWidth(COLLAPSED_SIDEBAR_WIDTH if collapsed else SIDEBAR_WIDTH)
        self.page_list.set_collapsed(collapsed)
        self.collapse_button.show_collapsed(collapsed=collapsed)
        self._identity_box.setVisible(not collapsed)
        self.identity_button.setVisible(collapsed)
        self._update_game_list()

    def _update_game_list(self) -> None:
        for widget in (self._title_labels[0], self.game_list):
            widget.setVisible(not self.is_collapsed and bool(self.game_list.items()))

    def show_games(self, games: Sequence[tuple[str, str, int | None]], current: str) -> None:
        """Show games by id, title and number of the user's rounds, None if unknown."""
        self.game_list.show_items(
            [SkillSidebarItem(key, "", title, mine, _game_accessible_text(title, mine)) for key, title, mine in games],
            current,
        )
        self._update_game_list()

    def show_identities(self, identities: Sequence[Identity]) -> None:
        """Show the number of the user's identities by kind."""
        self.identity_label.setText(identity_summary_text(identities))

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        return (self.page_list, self.game_list, self.change_link, self.identity_button, self.collapse_button)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the background and the line at the inner edge."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.palette.color("window"))
        inner = "R" if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else "L"
        fill_edges(painter, self.rect(), inner, self._theme.palette.color("hairline"))


def _game_accessible_text(game: str, mine: int | None) -> str:
    if mine is None:
        return game
    words = ngettext("{game}, {n} round of yours", "{game}, {n} rounds of yours", mine)
    return words.format(game=game, n=integer_text(mine))


def identity_summary_text(identities: Sequence[Identity]) -> str:
    """Return `2 Steam IDs` and `1 Xonotic key` on two lines, or that none is set."""
    counts = {kind: sum(each.kind == kind for each in identities) for kind in ("steam", "xonotic", "name")}
    words = {
        "steam": ngettext("{n} Steam ID", "{n} Steam IDs", counts["steam"]),
        "xonotic": ngettext("{n} Xonotic key", "{n} Xonotic keys", counts["xonotic"]),
        "name": ngettext("{n} name", "{n} names", counts["name"]),
    }
    lines = [words[kind].format(n=number) for kind, number in counts.items() if number]
    return "\n".join(lines) if lines else _("Not set. Your rounds cannot be recognised.")
