"""Keeps the chips on the filters in force and their counts, and turns presses into filters."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QMenu, QWidget

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filter_language import Filter, FilterError, parse_filter
from browser_app.games.profile import GameProfile
from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.chip import ChipState
from browser_app.ui.chip_bar import MORE, ChipBar
from browser_app.ui.chip_kinds import (
    DOUBT,
    PING,
    PLAIN,
    TEXTS,
    PlainChip,
    TextChip,
    ping_choices,
    ping_title,
    text_choices,
    text_expression,
    text_title,
    values_of,
)
from browser_app.ui.choice_menu import Choice, ChoiceMenu
from browser_app.ui.filter_control import FOLD, TEXT, FilterControl
from browser_app.ui.list_order import FOLD_AT, ListOrder
from browser_app.ui.lists import FAVOURITES, SAVED
from browser_app.ui.menus import popup_menu
from browser_app.ui.saved_control import SavedControl
from browser_app.ui.texts import thousands

_MENU_HOLD = later("while the menu is open")


class ChipControl(QObject):
    """Joins the bar, the order and the filters."""

    def __init__(
        self,
        bar: ChipBar,
        order: ListOrder,
        filters: FilterControl,
        catalogue: Catalogue,
        games: Mapping[str, GameProfile],
        saved: Mapping[str, str],
        names: SavedControl,
    ) -> None:
        super().__init__(bar)
        self._bar, self._order, self._filters = bar, order, filters
        self._catalogue, self._games, self._saved, self._names = catalogue, games, saved, names
        self._saved_counts: dict[tuple[str, str], int | None] = {}
        self._turn = 0
        # In an event of its own: order and counts in one piece would hold up a frame.
        self._counted = QTimer(self, singleShot=True, interval=1)
        self._counted.timeout.connect(self.refresh)
        order.counted.connect(self._counted.start)
        filters.changed.connect(self.refresh)
        bar.pressed.connect(self._press)
        bar.menu_wanted.connect(self._open_saved_menu)
        bar.clear_wanted.connect(filters.clear)
        bar.save_wanted.connect(names.save)

    def refresh(self) -> None:
        """Show the filters and counts of now."""
        self._counted.stop()
        terms = self._order.terms
        self._turn += 1
        known = int(np.count_nonzero(terms.listed))
        shown = int(np.count_nonzero(terms.listed & terms.passing)) - self._order.folded * self._order.folding
        shown = known if self._order.listed == FAVOURITES else shown
        filtered = bool(self._filters.terms)
        if filtered:
            words = _("{n} of {known}").format(n=thousands(shown), known=thousands(known))
            at_length = _("{n} of {known} shown").format(n=thousands(shown), known=thousands(known))
        else:
            words = at_length = _("No filter is on. Nothing is hidden.")
        self._bar.show_chips(
            list(self._states()),
            (at_length, words if filtered else ""),
            filtered=filtered,
            expressed=bool(self._filters.terms.keys() - {FOLD}),
        )

    def _states(self) -> Iterator[ChipState]:
        terms = self._filters.terms
        for plain in PLAIN:
            yield self._plain_state(plain)
        yield self._menu_state(PING, ping_title(terms[PING]) if PING in terms else _("Ping"))
        for chip in TEXTS.values():
            on = chip.key in terms
            yield self._menu_state(chip.key, self._text_title(chip) if on else _(chip.title))
        for place, name in enumerate(self._saved):
            yield self._saved_state(name, place)
        doubt = self._plain_state(DOUBT)
        if doubt.on or self._catalogue.doubts.any():
            yield doubt
        if self._order.folding or self._order.folded:
            yield self._fold_state()

    def _plain_state(self, chip: PlainChip) -> ChipState:
        return self._state(chip.key, _(chip.title), lambda: parse_filter(chip.expression), tip=_(chip.tip))

    def _state(self, key: str, title: str, other: Callable[[], Filter], *, tip: str) -> ChipState:
        terms = self._order.terms
        on = key in self._filters.terms and key in terms
        count = self._hides(key) if on else terms.leaves(other()) if len(self._catalogue) else None
        return ChipState(key, title, on, count, tip=tip)

    def _menu_state(self, key: str, title: str) -> ChipState:
        on = key in self._filters.terms and key in self._order.terms
        return ChipState(key, title, on, self._hides(key) if on else None, menu=True)

    def _hides(self, key: str) -> int:
        """Rows that come back without this filter; in the list Favourites none of them is away."""
        return 0 if self._order.listed == FAVOURITES else self._order.terms.hides(key)

    def _text_title(self, chip: TextChip) -> str:
        return text_title(chip, self._filters.terms[chip.key], self._name_of(chip))

    def _fold_state(self) -> ChipState:
        tip = _("Shows the best {n} servers of one address; favourites always").format(n=FOLD_AT)
        title = _("{n} per host").format(n=FOLD_AT)
        if self._order.folding:
            return ChipState(FOLD, title, True, self._order.folded, tip=tip)
        shown = int(np.count_nonzero(self._order.terms.listed & self._order.terms.passing))
        return ChipState(FOLD, title, False, shown - self._order.folded if len(self._catalogue) else None, tip=tip)

    def _saved_state(self, name: str, place: int) -> ChipState:
        """One that is off may search texts, which takes its time: of their counts one is made anew at a time."""
        key, text = SAVED + name, self._saved[name]
        if key in self._filters.terms and key in self._order.terms:
            return ChipState(key, name, True, self._hides(key), tip=text)
        if (name, text) not in self._saved_counts or place == self._turn % len(self._saved):
            try:
                self._saved_counts[name, text] = self._order.terms.leaves(parse_filter(text))
            except FilterError:  # saved by a newer program
                self._saved_counts[name, text] = None
        return ChipState(key, name, False, self._saved_counts[name, text], tip=text)

    def _name_of(self, chip: TextChip) -> Callable[[str], str]:
        if chip.key == "game":
            return lambda game: self._games[game].name if game in self._games else game
        return str.upper if chip.key == "country" else str

    # Presses

    def _press(self, key: str) -> None:
        plain = next((chip for chip in (*PLAIN, DOUBT) if chip.key == key), None)
        if plain is not None:
            self._filters.toggle(key, plain.expression)
        elif key == FOLD:
            self._filters.toggle(key, str(FOLD_AT))
        elif key.startswith(SAVED):
            self._filters.toggle(key, self._saved[key.removeprefix(SAVED)])
        elif key == MORE:
            self._popup(self._more_menu(), key)
        else:
            self._popup(self._menu(key, self._bar), key)

    def _popup(self, menu: QMenu, key: str) -> None:
        popup_menu(menu, self._bar.chip(key).corner(), lambda held: self._order.hold(_MENU_HOLD, held))

    def _menu(self, key: str, parent: QWidget) -> ChoiceMenu:
        others, expression = self._order.terms.others(key), self._filters.terms.get(key, "")
        if key == PING:
            choices = ping_choices(self._catalogue, others, expression)
            return ChoiceMenu(parent, choices, lambda value, _on: self._filters.put(PING, value), several=False)
        chip = TEXTS[key]
        choices = text_choices(chip, self._catalogue, others, expression, self._name_of(chip))
        return ChoiceMenu(parent, choices, partial(self._choose, key), several=True)

    def _choose(self, key: str, value: str, on: bool) -> None:
        values = [each for each in values_of(self._filters.terms.get(key, "")) if each != value]
        self._filters.put(key, text_expression(key, [*values, value] if on else values))

    def _more_menu(self) -> QMenu:
        hidden = self._bar.hidden_chips()
        plain = [Choice(each.key, each.title, each.number, each.on) for each in hidden if not each.menu]
        menu = ChoiceMenu(self._bar, plain, lambda key, _on: self._press(key), several=True)
        for state in hidden:
            if state.menu:
                submenu = self._menu(state.key, menu)
                submenu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
                submenu.setTitle(state.title.replace("&", "&&"))
                menu.addMenu(submenu)
        return menu

    def _open_saved_menu(self, key: str, where: QPoint) -> None:
        if key.startswith(SAVED):
            self._names.open_menu(key, where)

    @property
    def lines(self) -> list[ChipState]:
        """The filters in force, that in the field as its text; for the page that says why nothing is shown."""
        states = [state for state in self._states() if state.on] if self._filters.terms else []
        text = self._filters.terms.get(TEXT)
        if text is not None and TEXT in self._order.terms:
            states.append(ChipState(TEXT, text, True, self._hides(TEXT)))
        return states
