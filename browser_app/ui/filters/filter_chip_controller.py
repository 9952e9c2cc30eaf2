"""Declarations of the filter chips, and their controller."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QMenu, QWidget

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.filters.filter_tree import TextMatch
from browser_app.catalogue.filters.server_filter import FilterError, ServerFilter, parse_filter
from browser_app.catalogue.places.languages import language_name
from browser_app.catalogue.places.regions import REGION_NAMES
from browser_app.catalogue.text_column import TextColumn
from browser_app.games.game_profile import GameProfile
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.ui.filters.filter_chip_bar import MORE_CHIP, FilterChipBar, FilterChipState
from browser_app.ui.filters.filter_controller import (
    FIELD_FILTER_KEY,
    HOST_LIMIT_KEY,
    FilterController,
    SavedFilterController,
)
from browser_app.ui.lists.server_list_membership import FAVOURITES_LIST
from browser_app.ui.servers.server_order import MAX_SHOWN_PER_HOST, HoldReason, ServerOrder
from browser_app.ui.widgets.menus import ChoiceMenu, MenuChoice, popup_menu

PING_LIMITS_MS = (50, 80, 100, 150, 200)
MAX_CHOICES = 30
"""Entries of a menu; rarer values can be typed into the filter field."""
_PLAIN_VALUE = re.compile(r"[\w.+-]+")


@dataclass(frozen=True)
class ToggleChip:
    """A filter that is on or off."""

    key: str
    title: str
    expression: str
    tool_tip: str


@dataclass(frozen=True)
class ValueChip:
    """A filter by values of a text column."""

    key: str
    """Also the field's name in the filter language."""
    title: str
    column: Callable[[Catalogue], TextColumn]
    is_occasional: bool = False
    """Shown where any server has a value."""


TOGGLE_CHIPS = (
    ToggleChip("full", N_("Not full"), "-full -closed", N_("Servers with a free slot that you can join now")),
    ToggleChip("players", N_("Has players"), "players>=1", N_("Servers with players; bots do not count")),
    ToggleChip("locked", N_("No password"), "-locked", N_("Servers without a password")),
)
INSTALLED_CHIP = ToggleChip("installed", N_("Installed"), "installed", N_("Servers of games that you can start here"))
SUSPICION_CHIP = ToggleChip(
    "doubt", N_("Not suspicious"), "-doubt", N_("Servers whose data gives no cause for suspicion")
)
ANSWERING_CHIP = ToggleChip("silent", N_("Answering"), "-silent", N_("Servers that have answered their last query"))
OCCASIONAL_CHIPS = (INSTALLED_CHIP, SUSPICION_CHIP, ANSWERING_CHIP)
"""Chips that are shown where they would leave out some servers."""
PING_CHIP = "ping"
VALUE_CHIPS: Mapping[str, ValueChip] = {
    chip.key: chip
    for chip in (
        ValueChip("game", N_("Game"), lambda c: c.game),
        ValueChip("mode", N_("Mode"), lambda c: c.mode),
        ValueChip("country", N_("Country"), lambda c: c.country),
        ValueChip("region", N_("Region"), lambda c: c.region),
        ValueChip("lang", N_("Language"), lambda c: c.language, is_occasional=True),
    )
}


_VALUE_NAMERS: Mapping[str, Callable[[str], str]] = {
    "region": lambda code: _(REGION_NAMES.get(code.upper(), code)),
    "country": str.upper,
    "lang": language_name,
}
"""Returns the name of a value of a chip's filter."""


def ping_chip_title(expression: str) -> str:
    """Return the title of the active ping chip."""
    return _("Ping ≤ {ms}").format(ms=expression.partition("<=")[2] or "?")


def ping_choices(catalogue: Catalogue, passing_rows: Bools, expression: str) -> list[MenuChoice]:
    """Return the entries of the ping menu; `passing_rows` pass all other filters."""
    pings = catalogue.ping_ms[passing_rows]
    choices = [
        MenuChoice(f"ping<={ms}", f"≤ {ms} ms", int(np.count_nonzero(pings <= ms)), expression == f"ping<={ms}")
        for ms in PING_LIMITS_MS
    ]
    return [*choices, MenuChoice("", _("Off"), int(np.count_nonzero(passing_rows)), not expression)]


def value_choices(
    chip: ValueChip, catalogue: Catalogue, passing_rows: Bools, expression: str, name_of: Callable[[str], str]
) -> list[MenuChoice]:
    """Return existing values, most frequent first; chosen values are always included."""
    on = filter_values(expression)
    by_value: dict[str, int] = dict.fromkeys(on, 0)
    for text, count in chip.column(catalogue).value_counts(passing_rows).items():
        if '"' not in text:
            by_value[text.casefold()] = by_value.get(text.casefold(), 0) + count
    ranked = sorted(by_value, key=lambda value: (value not in on, -by_value[value], value))[:MAX_CHOICES]
    return [MenuChoice(value, name_of(value), by_value[value], value in on) for value in ranked]


def values_filter(field: str, values: Sequence[str]) -> str:
    """Return the filter expression for these values."""
    terms = [value if _PLAIN_VALUE.fullmatch(value) else f'"{value}"' for value in values]
    return f"{field}:{','.join(terms)}" if terms else ""


def filter_values(expression: str) -> list[str]:
    """Return the casefolded values of an expression made by `values_filter`."""
    node = parse_filter(expression).node
    return [pattern.text.casefold() for pattern in node.patterns] if isinstance(node, TextMatch) else []


def value_chip_title(chip: ValueChip, expression: str, name_of: Callable[[str], str]) -> str:
    """Return the title of an active chip: the chosen values, or their number."""
    values = filter_values(expression)
    if len(values) > 2:
        return _("{what}: {n} selected").format(what=_(chip.title), n=len(values))
    return _("{what}: {values}").format(what=_(chip.title), values=", ".join(name_of(value) for value in values))


class FilterChipController(QObject):
    """Connects chip bar, order and filters."""

    def __init__(
        self,
        bar: FilterChipBar,
        order: ServerOrder,
        filters: FilterController,
        catalogue: Catalogue,
        games: Mapping[str, GameProfile],
        saved: Mapping[str, str],
        saved_filter_controller: SavedFilterController,
    ) -> None:
        super().__init__(bar)
        self._bar, self._order, self._filters = bar, order, filters
        self._catalogue, self._games, self._saved = catalogue, games, saved
        self._saved_counts: dict[tuple[str, str], int | None] = {}
        self._refresh_count = 0
        # As an event of its own: order and counts in one piece would delay a frame.
        self._refresh_timer = QTimer(self, singleShot=True, interval=1)
        self._refresh_timer.timeout.connect(self.refresh)
        order.counts_changed.connect(self._refresh_timer.start)
        filters.filters_changed.connect(self.refresh)
        bar.chip_pressed.connect(self._on_chip_pressed)
        bar.menu_requested.connect(saved_filter_controller.open_menu)
        bar.clear_requested.connect(filters.clear_filters)
        bar.save_requested.connect(saved_filter_controller.ask_to_save)

    def refresh(self) -> None:
        """Show the current filters and counts."""
        self._refresh_timer.stop()
        active = self._order.active_filters
        self._refresh_count += 1
        known = int(np.count_nonzero(active.list_mask))
        shown = (
            int(np.count_nonzero(active.list_mask & active.passing))
            - self._order.host_limit_count * self._order.is_limiting_hosts
        )
        shown = known if self._order.current_list == FAVOURITES_LIST else shown
        filtered = bool(self._filters.expressions)
        if filtered:
            text = _("{n} of {known}").format(n=integer_text(shown), known=integer_text(known))
            at_length = _("{n} of {known} shown").format(n=integer_text(shown), known=integer_text(known))
        else:
            text = at_length = _("No filters active")
        self._bar.show_chips(
            list(self._chip_states()),
            (at_length, text if filtered else ""),
            filtered=filtered,
            can_save=bool(self._filters.expressions.keys() - {HOST_LIMIT_KEY}),
        )

    def _chip_states(self) -> Iterator[FilterChipState]:
        expressions = self._filters.expressions
        for toggle in TOGGLE_CHIPS:
            yield self._toggle_chip_state(toggle)
        yield self._menu_chip_state(
            PING_CHIP, ping_chip_title(expressions[PING_CHIP]) if PING_CHIP in expressions else _("Ping")
        )
        for chip in VALUE_CHIPS.values():
            if chip.is_occasional and chip.key not in expressions and not chip.column(self._catalogue).ids.any():
                continue
            title = _(chip.title)
            if chip.key in expressions:
                title = value_chip_title(chip, expressions[chip.key], self._value_namer(chip))
            yield self._menu_chip_state(chip.key, title)
        for index, name in enumerate(self._saved):
            yield self._saved_filter_state(name, index)
        installed = self._catalogue.installed
        for toggle, divides_list in (
            (INSTALLED_CHIP, installed.any() and not installed.all()),
            (SUSPICION_CHIP, self._catalogue.suspicions.any()),
            (ANSWERING_CHIP, self._catalogue.unresponsive.any()),
        ):
            state = self._toggle_chip_state(toggle)
            if state.on or divides_list:
                yield state
        if self._order.is_limiting_hosts or self._order.host_limit_count:
            yield self._host_limit_state()

    def _toggle_chip_state(self, chip: ToggleChip) -> FilterChipState:
        return self._chip_state(chip.key, _(chip.title), lambda: parse_filter(chip.expression), tip=_(chip.tool_tip))

    def _chip_state(
        self, key: str, title: str, make_filter: Callable[[], ServerFilter], *, tip: str
    ) -> FilterChipState:
        active = self._order.active_filters
        on = key in self._filters.expressions and key in active
        count = (
            self._hidden_count(key) if on else active.remaining_count(make_filter()) if len(self._catalogue) else None
        )
        return FilterChipState(key, title, on, count, tool_tip=tip)

    def _menu_chip_state(self, key: str, title: str) -> FilterChipState:
        on = key in self._filters.expressions and key in self._order.active_filters
        return FilterChipState(key, title, on, self._hidden_count(key) if on else None, menu=True)

    def _hidden_count(self, key: str) -> int:
        """Return the number of rows that only this filter hides.

        0 in the Favourites list, where filters hide nothing.
        """
        return 0 if self._order.current_list == FAVOURITES_LIST else self._order.active_filters.hidden_count(key)

    def _host_limit_state(self) -> FilterChipState:
        tip = _("Shows the best {n} servers per host; favourites are always shown").format(n=MAX_SHOWN_PER_HOST)
        title = _("{n} per host").format(n=MAX_SHOWN_PER_HOST)
        if self._order.is_limiting_hosts:
            return FilterChipState(HOST_LIMIT_KEY, title, True, self._order.host_limit_count, tool_tip=tip)
        shown = int(np.count_nonzero(self._order.active_filters.list_mask & self._order.active_filters.passing))
        return FilterChipState(
            HOST_LIMIT_KEY,
            title,
            False,
            shown - self._order.host_limit_count if len(self._catalogue) else None,
            tool_tip=tip,
        )

    def _saved_filter_state(self, name: str, index: int) -> FilterChipState:
        """Return a saved filter's state.

        One count of an inactive filter is updated at a time, since text searches are slow.
        """
        key, text = SAVED_LIST_PREFIX + name, self._saved[name]
        if key in self._filters.expressions and key in self._order.active_filters:
            return FilterChipState(key, name, True, self._hidden_count(key), tool_tip=text)
        if (name, text) not in self._saved_counts or index == self._refresh_count % len(self._saved):
            try:
                self._saved_counts[name, text] = self._order.active_filters.remaining_count(parse_filter(text))
            except FilterError:  # saved by a newer version
                self._saved_counts[name, text] = None
        return FilterChipState(key, name, False, self._saved_counts[name, text], tool_tip=text)

    def _value_namer(self, chip: ValueChip) -> Callable[[str], str]:
        if chip.key == "game":
            return lambda game: self._games[game].name if game in self._games else game
        return _VALUE_NAMERS.get(chip.key, str)

    # User actions

    def _on_chip_pressed(self, key: str) -> None:
        toggle = next((chip for chip in (*TOGGLE_CHIPS, *OCCASIONAL_CHIPS) if chip.key == key), None)
        if toggle is not None:
            self._filters.toggle_filter(key, toggle.expression)
        elif key == HOST_LIMIT_KEY:
            self._filters.toggle_filter(key, str(MAX_SHOWN_PER_HOST))
        elif key.startswith(SAVED_LIST_PREFIX):
            self._filters.toggle_filter(key, self._saved[key.removeprefix(SAVED_LIST_PREFIX)])
        elif key == MORE_CHIP:
            self._popup_chip_menu(self._create_more_menu(), key)
        else:
            self._popup_chip_menu(self._create_choice_menu(key, self._bar), key)

    def _popup_chip_menu(self, menu: QMenu, key: str) -> None:
        popup_menu(menu, self._bar.chip(key).menu_position(), lambda held: self._order.set_hold(HoldReason.MENU, held))

    def _create_choice_menu(self, key: str, parent: QWidget) -> ChoiceMenu:
        others, expression = (
            self._order.active_filters.rows_passing_other_filters(key),
            self._filters.expressions.get(key, ""),
        )
        if key == PING_CHIP:
            choices = ping_choices(self._catalogue, others, expression)
            return ChoiceMenu(
                parent, choices, lambda value, _on: self._filters.set_filter(PING_CHIP, value), multiple=False
            )
        chip = VALUE_CHIPS[key]
        choices = value_choices(chip, self._catalogue, others, expression, self._value_namer(chip))
        return ChoiceMenu(parent, choices, partial(self._set_choice, key), multiple=True)

    def _set_choice(self, key: str, value: str, on: bool) -> None:
        values = [each for each in filter_values(self._filters.expressions.get(key, "")) if each != value]
        self._filters.set_filter(key, values_filter(key, [*values, value] if on else values))

    def _create_more_menu(self) -> QMenu:
        hidden = self._bar.hidden_chips()
        toggles = [MenuChoice(each.key, each.title, each.number, each.on) for each in hidden if not each.menu]
        menu = ChoiceMenu(self._bar, toggles, lambda key, _on: self._on_chip_pressed(key), multiple=True)
        for state in hidden:
            if state.menu:
                submenu = self._create_choice_menu(state.key, menu)
                submenu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
                submenu.setTitle(state.title.replace("&", "&&"))
                menu.addMenu(submenu)
        return menu

    @property
    def active_filters(self) -> list[FilterChipState]:
        """The active filters with their counts, including the filter field's expression."""
        states = [state for state in self._chip_states() if state.on] if self._filters.expressions else []
        text = self._filters.expressions.get(FIELD_FILTER_KEY)
        if text is not None and FIELD_FILTER_KEY in self._order.active_filters:
            states.append(FilterChipState(FIELD_FILTER_KEY, text, True, self._hidden_count(FIELD_FILTER_KEY)))
        return states
