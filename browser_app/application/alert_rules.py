"""Conditions and texts of the kinds of alerts."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryStatus
from browser_app.language import N_
from browser_app.storage.user_lists.alert_store import AlertKind
from browser_app.storage.user_lists.search_alert_store import SearchAlertKind


@dataclass(frozen=True, slots=True)
class AlertRule:
    """Rule of one kind of alert."""

    label: str
    """When the user is notified, in English; `{n}` stands for the alert's number of players."""
    title: str
    """Title of the notification, in English; placeholders: `{server}`, `{n}` and `{causes}`."""
    causes: Callable[[Catalogue, int, int], frozenset[str] | None]
    """Returns what fulfils the condition now, empty if nothing does; None if that is unknown.

    Arguments: catalogue, server, the alert's number of players. A cause that was there before does not notify again.
    """


_CONDITION = frozenset({"condition"})
"""The only cause of a condition that is fulfilled or not."""


def _friends(catalogue: Catalogue, server: int, _number: int) -> frozenset[str] | None:
    """Return the names of the friends on a server."""
    players = catalogue.current_players(server)
    if players is None:
        return None
    return frozenset(each.name for each in players if catalogue.friend_group_of(each) is not None)


def _free_slot(catalogue: Catalogue, server: int, _number: int) -> frozenset[str] | None:
    free = catalogue.usable_slots[server] - catalogue.players[server]
    if math.isnan(free):
        return None
    return frozenset() if catalogue.is_unjoinable(server) else _CONDITION


def _enough_players(catalogue: Catalogue, server: int, number: int) -> frozenset[str] | None:
    players = catalogue.players[server]
    if math.isnan(players):
        return None
    return _CONDITION if players >= number else frozenset()


ALERT_RULES: Mapping[AlertKind, AlertRule] = {
    AlertKind.FRIEND: AlertRule(N_("When a friend joins"), N_("{causes} on “{server}”"), _friends),
    AlertKind.SLOT: AlertRule(N_("When a slot is free"), N_("A slot is free on “{server}”"), _free_slot),
    AlertKind.PLAYERS: AlertRule(
        N_("When {n} or more play"), N_("{n} or more are playing on “{server}”"), _enough_players
    ),
}
"""Kind → rule, in the order of the check boxes."""


@dataclass(frozen=True, slots=True)
class SearchAlertRule:
    """Texts of one kind of alert on any server, in English."""

    label: str
    """When the user is notified; `{value}` stands for the player, pattern or filter."""
    title: str
    """Title of the notification; placeholders: `{server}`, `{value}` and `{causes}`."""


SEARCH_ALERT_RULES: Mapping[SearchAlertKind, SearchAlertRule] = {
    SearchAlertKind.PLAYER: SearchAlertRule(N_("When {value} appears"), N_("{causes} on “{server}”")),
    SearchAlertKind.PATTERN: SearchAlertRule(N_("When a name matches {value}"), N_("{causes} on “{server}”")),
    SearchAlertKind.FILTER: SearchAlertRule(N_("When a server starts to match “{value}”"), N_("{value}: {server}")),
}
"""Kind → rule, in the order of the choice."""


def player_list_coverage(catalogue: Catalogue) -> tuple[int, int]:
    """Return how many servers with players name them, and how many have players.

    Counts their last answers. A player can be found only where players are named.
    """
    populated = np.flatnonzero((catalogue.status == QueryStatus.OK) & ~catalogue.saved & (catalogue.players > 0))
    return sum(bool(catalogue.current_players(row)) for row in populated.tolist()), len(populated)
