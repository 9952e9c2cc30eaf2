"""Fields of the server filter, evaluated over whole columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, Floats, RowIds
from browser_app.catalogue.filters.filter_predicates import substring_predicate, whole_text_predicate
from browser_app.catalogue.filters.filter_tree import TextPattern
from browser_app.catalogue.places.regions import REGION_NAMES
from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.language import N_
from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.server_code import address_text

_COUNTS = ("players", "bots", "spectators", "free", "trend")
"""Fields whose last known value is no evidence for an unresponsive server."""


def _number_column(name: str, number: Callable[[Catalogue, RowIds], Floats]) -> Callable[[Catalogue], Floats]:
    def column(catalogue: Catalogue) -> Floats:
        values = number(catalogue, np.arange(len(catalogue)))
        return np.where(catalogue.unresponsive, np.nan, values) if name in _COUNTS else values

    return column


NUMBER_FIELDS: Mapping[str, Callable[[Catalogue], Floats]] = {
    **{
        field.filter_name: _number_column(field.filter_name, field.number)
        for field in SERVER_FIELDS.values()
        if field.number and field.filter_name
    },
    "reserved": lambda c: c.reserved,
}
"""Name → column, NaN where unknown."""

FLAG_FIELDS: Mapping[str, Callable[[Catalogue], Bools]] = {
    "full": lambda c: c.full & ~c.unresponsive,
    "closed": lambda c: c.closed_despite_slots & ~c.unresponsive,
    "empty": lambda c: (c.players == 0) & ~c.unresponsive,
    "locked": lambda c: c.password > 0,
    "fav": lambda c: c.favourite,
    "friend": lambda c: c.friends > 0,
    "blocked": lambda c: c.blocked,
    "installed": lambda c: c.installed,
    "doubt": lambda c: c.suspicions > 0,
    "rookie": lambda c: c.rookie_only > 0,
    "old": lambda c: c.saved,
    "listed": lambda c: c.described,
    "silent": lambda c: c.unresponsive,
}
"""Name → rows that are known to have the property."""


def _match_mode(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = whole_text_predicate(patterns)
    return catalogue.mode.matching_rows(test) | catalogue.mode_name.matching_rows(test)


def _match_game(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = whole_text_predicate(patterns)

    def passes(game: str) -> bool:
        profile = catalogue.games.get(game)
        names = (game,) if profile is None else (game, profile.name.casefold(), profile.short.casefold())
        return any(test(name) for name in names)

    return catalogue.game.matching_rows(passes)


def _match_region(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = whole_text_predicate(patterns)
    names = {code.casefold(): name.casefold() for code, name in REGION_NAMES.items()}
    return catalogue.region.matching_rows(lambda code: test(code) or test(names.get(code, "")))


def _match_address(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    whole, parts = _split_addresses(patterns)
    mask = np.zeros(len(catalogue), np.bool_)
    servers = [*zip(catalogue.targets, catalogue.info_by_row, strict=True)]
    if whole:
        mask[[row for address in whole if (row := catalogue.row_of(address)) is not None]] = True
        mask |= _bool_array(
            (t.named_address in whole or (i is not None and i.connect in whole) for t, i in servers),
            catalogue,
        )
    if parts:
        test = substring_predicate(parts)
        mask |= _bool_array(
            (test(address_text(t.address)) or (i is not None and test(address_text(i.connect))) for t, i in servers),
            catalogue,
        )
    return mask


def _split_addresses(patterns: Sequence[TextPattern]) -> tuple[frozenset[Address], list[TextPattern]]:
    """Return the whole addresses, which are in quotes, and the other patterns."""
    addresses = [_whole_address(pattern) for pattern in patterns]
    parts = [pattern for pattern, address in zip(patterns, addresses, strict=True) if address is None]
    return frozenset(address for address in addresses if address is not None), parts


def _whole_address(pattern: TextPattern) -> Address | None:
    try:
        return parse_address(pattern.text) if pattern.literal else None
    except ValueError:
        return None


def addresses_filter(addresses: Iterable[Address]) -> str:
    """Return the expression that these servers pass, and no others."""
    return "address:" + ",".join(f'"{address}"' for address in addresses)


def _match_tag(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = whole_text_predicate(patterns)
    return _bool_array(
        (info is not None and any(test(tag.casefold()) for tag in info.tags) for info in catalogue.info_by_row),
        catalogue,
    )


def _match_player(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = substring_predicate(patterns)
    mask = np.zeros(len(catalogue), np.bool_)
    for row, players in catalogue.player_lists.items():
        mask[row] = any(test(player.name.casefold()) for player in players)
    return mask


def _match_friend(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = whole_text_predicate(patterns)
    mask = np.zeros(len(catalogue), np.bool_)
    for row in np.flatnonzero(catalogue.friends > 0).tolist():
        groups = map(catalogue.friend_group_of, catalogue.player_lists.get(row, ()))
        mask[row] = any(group is not None and test(group) for group in groups)
    return mask


def _match_note(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = substring_predicate(patterns)
    mask = np.zeros(len(catalogue), np.bool_)
    for row, note in catalogue.notes():
        mask[row] = bool(test(note.casefold()))
    return mask


def _bool_array(rows: Iterable[object], catalogue: Catalogue) -> Bools:
    return np.fromiter(map(bool, rows), np.bool_, len(catalogue))


TEXT_FIELDS: Mapping[str, Callable[[Catalogue, Sequence[TextPattern]], Bools]] = {
    "name": lambda c, patterns: c.name.matching_rows(substring_predicate(patterns)),
    "map": lambda c, patterns: c.map.matching_rows(whole_text_predicate(patterns)),
    "mode": _match_mode,
    "game": _match_game,
    "version": lambda c, patterns: c.version.matching_rows(whole_text_predicate(patterns)),
    "country": lambda c, patterns: c.country.matching_rows(whole_text_predicate(patterns)),
    "region": _match_region,
    "lang": lambda c, patterns: c.language.matching_rows(whole_text_predicate(patterns)),
    "address": _match_address,
    "tag": _match_tag,
    "player": _match_player,
    "friend": _match_friend,
    "note": _match_note,
}
"""Name → rows that match any of the patterns. Names, players, addresses and notes also match in part.

`friend` matches names of friend groups; `friend:yes` and `friend:no` are the flag of the same name.
"""

FIELD_SYNONYMS: Mapping[str, str] = {
    "favorite": "fav",
    "favourite": "fav",
    "language": "lang",
    "performance": "perf",
    "saved": "old",
    "seeding": "gain",
    "slots": "max",
    "suspicious": "doubt",
    "unresponsive": "silent",
}
"""Other spelling → name, for filters that are typed; completion offers names alone."""

FIELD_MEANINGS: Mapping[str, str] = {
    "score": N_("how likely a good game is"),
    "ping": N_("ping in ms"),
    "jitter": N_("spread of the last pings in ms"),
    "players": N_("players without bots"),
    "bots": N_("players that are bots"),
    "spectators": N_("players who watch"),
    "max": N_("slots in all"),
    "free": N_("free slots"),
    "perf": N_("performance that the server reports"),
    "skill": N_("average skill of the players"),
    "gain": N_("seeding value"),
    "trend": N_("change in players over 6 hours"),
    "forecast": N_("players expected in 30 minutes"),
    "reserved": N_("reserved slots"),
    "name": N_("part of the name"),
    "map": N_("name of the map"),
    "mode": N_("game mode"),
    "game": N_("name of the game"),
    "version": N_("version of the game"),
    "country": N_("country code"),
    "region": N_("part of the world"),
    "lang": N_("language that the server names"),
    "address": N_("part of the address"),
    "tag": N_("tag of the server"),
    "player": N_("part of a player’s name"),
    "friend": N_("friends online, or their group"),
    "note": N_("part of your note"),
    "full": N_("no free slot"),
    "closed": N_("accepts no players now, though slots are free"),
    "empty": N_("no players"),
    "locked": N_("password required"),
    "fav": N_("your favourites"),
    "blocked": N_("blocked by you"),
    "installed": N_("game can be started here"),
    "doubt": N_("suspicious servers"),
    "rookie": N_("for rookies only"),
    "old": N_("saved servers, not queried yet"),
    "listed": N_("described by a list only"),
    "silent": N_("servers that do not answer"),
}
"""Name → what it means, in a few words of English."""
