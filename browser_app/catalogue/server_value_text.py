"""Texts of a server's name and values, without Qt."""

from browser_app.catalogue.catalogue import Catalogue
from browser_app.language import gettext as _
from browser_app.number_text import decimal_text, integer_text
from browser_app.protocols.server_code import address_text

UNKNOWN_VALUE = "–"
_NO_DECIMALS_FROM_MS = 9.95
_THREE_DECIMALS_BELOW, _LEAST_SHOWN_SCORE = 0.0995, 0.0005
"""Low scores need more decimals: most servers are empty, and two would be the same for all of them."""


def ping_text(ping_ms: float | None, estimated: bool = False) -> str:
    """Return `47`, `~118` if estimated, `<1` below one millisecond, `–` if unknown."""
    if ping_ms is None:
        return UNKNOWN_VALUE
    return ("~" if estimated else "") + ("<1" if ping_ms < 1 else integer_text(ping_ms))


def spread_text(spread_ms: float) -> str:
    """Return a spread of pings, such as `±3.2`."""
    return f"±{decimal_text(spread_ms, 1 if spread_ms < _NO_DECIMALS_FROM_MS else 0)}"


def players_text(players: int | None, slots: int | None) -> str:
    """Return `8/20`; unknown numbers are dashes."""
    return "/".join(UNKNOWN_VALUE if number is None else integer_text(number) for number in (players, slots))


def score_text(score: float | None) -> str:
    """Return `0.62`, `0.012` below 0.1, and `≈0` for nearly 0.

    Empty if the server is not ranked.
    """
    if score is None:
        return ""
    if score < _LEAST_SHOWN_SCORE:
        return "≈0"
    return decimal_text(score, 2 if score >= _THREE_DECIMALS_BELOW else 3)


def points_text(points: float | None) -> str:
    """Return a skill in whole points, `–` if unknown."""
    return UNKNOWN_VALUE if points is None else integer_text(points)


def server_name(catalogue: Catalogue, server: int) -> str:
    """Return the server's name, or its address if it has none."""
    return catalogue.name[server] or address_text(catalogue.targets[server].address)


def quoted_text(name: str) -> str:
    """Return a name in quotation marks, for lists of names in a sentence."""
    return _("“{name}”").format(name=name)


def server_players_text(catalogue: Catalogue, server: int) -> str:
    """Return players and slots, such as `13/24`."""
    players, slots = catalogue.players[server], catalogue.usable_slots[server]
    return players_text(None if players != players else int(players), None if slots != slots else int(slots))


def server_numbers_text(catalogue: Catalogue, server: int) -> str:
    """Return players and ping, such as `13/24, 34 ms`; an estimated ping is marked."""
    ping, estimated = catalogue.ping_ms[server], bool(catalogue.ping_estimated[server])
    return server_players_text(catalogue, server) + ("" if ping != ping else f", {ping_text(ping, estimated)} ms")
