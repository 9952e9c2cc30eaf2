"""Fields of the server filter, evaluated over whole columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, Floats
from browser_app.catalogue.filters.filter_predicates import substring_predicate, whole_text_predicate
from browser_app.catalogue.filters.filter_tree import TextPattern
from browser_app.catalogue.server_fields import SERVER_FIELDS

NUMBER_FIELDS: Mapping[str, Callable[[Catalogue], Floats]] = {
    **{field.filter_name: field.number for field in SERVER_FIELDS.values() if field.number and field.filter_name},
    "reserved": lambda c: c.reserved,
}
"""Name → column, NaN where unknown."""

FLAG_FIELDS: Mapping[str, Callable[[Catalogue], Bools]] = {
    "full": lambda c: c.full,
    "empty": lambda c: c.players == 0,
    "locked": lambda c: c.password > 0,
    "fav": lambda c: c.favourite,
    "friend": lambda c: c.friends > 0,
    "blocked": lambda c: c.blocked,
    "installed": lambda c: c.installed,
    "doubt": lambda c: c.suspicions > 0,
    "rookie": lambda c: c.rookie_only > 0,
    "old": lambda c: c.old,
    "listed": lambda c: c.listed,
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


def _match_address(catalogue: Catalogue, patterns: Sequence[TextPattern]) -> Bools:
    test = substring_predicate(patterns)
    rows = (
        test(str(target.address)) or (info is not None and test(str(info.connect)))
        for target, info in zip(catalogue.targets, catalogue.info_by_row, strict=True)
    )
    return _bool_array(rows, catalogue)


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
    "address": _match_address,
    "tag": _match_tag,
    "player": _match_player,
    "friend": _match_friend,
    "note": _match_note,
}
"""Name → rows that match any of the patterns. Names, players, addresses and notes also match in part.

`friend` matches names of friend groups; `friend:yes` and `friend:no` are the flag of the same name.
"""
