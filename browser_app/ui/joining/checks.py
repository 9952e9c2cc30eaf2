"""What may stand in the way of joining, in the order in which the user is asked about it."""

import enum
from collections.abc import Collection, Iterator, Mapping

from browser_app.catalogue.catalogue import Catalogue


class Hurdle(enum.Enum):
    """A reason to ask first. Each can be passed by the user's own wish."""

    VERSION = "another version"
    ROOKIES = "for rookies only"
    FULL = "full"
    SILENT = "no answer"


def is_locked(catalogue: Catalogue, server: int) -> bool:
    """It says that it needs a password."""
    return bool(catalogue.password[server] == 1)


def is_full(catalogue: Catalogue, server: int) -> bool:
    """No slot that is not reserved is free, or the server lets nobody in. Unknown numbers do not make it full."""
    players, slots = catalogue.players[server], catalogue.usable_slots[server]
    return bool(players >= slots or catalogue.joinable[server] == 0)


def own_version(catalogue: Catalogue, server: int, own: Mapping[str, str]) -> str | None:
    """The version of the user's own game where it is not the server's; None where both are alike or one is unknown."""
    mine, its = own.get(catalogue.game[server], ""), catalogue.version[server]
    return mine if mine and its and mine.casefold() != its.casefold() else None


def next_hurdle(
    catalogue: Catalogue, server: int, own: Mapping[str, str], passed: Collection[Hurdle], *, silent: bool
) -> Hurdle | None:
    """The first one that is not passed yet. `silent`: it was asked again and did not answer."""
    return next((hurdle for hurdle in _hurdles(catalogue, server, own, silent=silent) if hurdle not in passed), None)


def _hurdles(catalogue: Catalogue, server: int, own: Mapping[str, str], *, silent: bool) -> Iterator[Hurdle]:
    if own_version(catalogue, server, own) is not None:
        yield Hurdle.VERSION
    if catalogue.rookie_only[server] == 1:
        yield Hurdle.ROOKIES
    if is_full(catalogue, server) and not silent:
        yield Hurdle.FULL
    if silent:
        yield Hurdle.SILENT
