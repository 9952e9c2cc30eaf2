"""The fields of the filter language: one row each, evaluated over whole columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Bools, Floats
from browser_app.catalogue.facts import Status
from browser_app.catalogue.filter_tree import Pattern
from browser_app.catalogue.wildcards import Test, is_pattern, matcher

NUMBERS: Mapping[str, Callable[[Catalogue], Floats]] = {
    "players": lambda c: c.players,
    "bots": lambda c: c.bots,
    "spectators": lambda c: c.spectators,
    "max": lambda c: c.max_players,
    "free": lambda c: np.maximum(c.usable_slots - c.players, 0.0),
    "reserved": lambda c: c.reserved,
    "ping": lambda c: c.ping_ms,
    "score": lambda c: c.score,
    "gain": lambda c: c.gain,
    "perf": lambda c: c.performance,
    "skill": lambda c: c.server_skill,
    "trend": lambda c: c.trend.changes(np.arange(len(c))),
    "forecast": lambda c: c.forecasts.of(np.arange(len(c))).players,
}
"""Name → its column, NaN where unknown."""

FLAGS: Mapping[str, Callable[[Catalogue], Bools]] = {
    "full": lambda c: (c.players >= c.usable_slots) | (c.joinable == 0),
    "empty": lambda c: c.players == 0,
    "locked": lambda c: c.password > 0,
    "fav": lambda c: c.favourite,
    "friend": lambda c: c.friends > 0,
    "blocked": lambda c: c.blocked,
    "doubt": lambda c: c.doubts > 0,
    "rookie": lambda c: c.rookie_only > 0,
    "ranked": lambda c: c.ranked > 0,
    "old": lambda c: c.old,
    "silent": lambda c: (c.status == Status.NO_ANSWER) | (c.status == Status.MALFORMED),
}
"""Name → the rows of which it is known to be so."""


def _whole(patterns: Sequence[Pattern]) -> Test:
    """Passes texts that are, as a whole, one of the patterns."""
    return matcher(
        patterns=[pattern.text for pattern in patterns if not pattern.literal],
        exact=[pattern.text for pattern in patterns if pattern.literal],
    )


def _part(patterns: Sequence[Pattern]) -> Test:
    """Passes texts that hold one of the patterns; one with wildcards must be the whole text."""
    wild = [p for p in patterns if not p.literal and is_pattern(p.text)]
    return matcher(patterns=[p.text for p in wild], parts=[p.text for p in patterns if p not in wild])


def _mode(catalogue: Catalogue, patterns: Sequence[Pattern]) -> Bools:
    test = _whole(patterns)
    return catalogue.mode.where(test) | catalogue.mode_name.where(test)


def _game(catalogue: Catalogue, patterns: Sequence[Pattern]) -> Bools:
    test = _whole(patterns)

    def passes(game: str) -> bool:
        profile = catalogue.games.get(game)
        names = (game,) if profile is None else (game, profile.name.casefold(), profile.short.casefold())
        return any(test(name) for name in names)

    return catalogue.game.where(passes)


def _address(catalogue: Catalogue, patterns: Sequence[Pattern]) -> Bools:
    test = _part(patterns)
    rows = (
        test(str(target.address)) or (facts is not None and test(str(facts.connect)))
        for target, facts in zip(catalogue.targets, catalogue.all_facts, strict=True)
    )
    return _mask(rows, catalogue)


def _tag(catalogue: Catalogue, patterns: Sequence[Pattern]) -> Bools:
    test = _whole(patterns)
    return _mask(
        (facts is not None and any(test(tag.casefold()) for tag in facts.tags) for facts in catalogue.all_facts),
        catalogue,
    )


def _player(catalogue: Catalogue, patterns: Sequence[Pattern]) -> Bools:
    test = _part(patterns)
    mask = np.zeros(len(catalogue), np.bool_)
    for row, players in catalogue.player_lists.items():
        mask[row] = any(test(player.name.casefold()) for player in players)
    return mask


def _friend(catalogue: Catalogue, patterns: Sequence[Pattern]) -> Bools:
    test = _whole(patterns)
    mask = np.zeros(len(catalogue), np.bool_)
    for row in np.flatnonzero(catalogue.friends > 0).tolist():
        groups = map(catalogue.friend_group, catalogue.player_lists.get(row, ()))
        mask[row] = any(group is not None and test(group) for group in groups)
    return mask


def _note(catalogue: Catalogue, patterns: Sequence[Pattern]) -> Bools:
    test = _part(patterns)
    mask = np.zeros(len(catalogue), np.bool_)
    for row, note in catalogue.notes():
        mask[row] = bool(test(note.casefold()))
    return mask


def _mask(rows: Iterable[object], catalogue: Catalogue) -> Bools:
    return np.fromiter(map(bool, rows), np.bool_, len(catalogue))


TEXTS: Mapping[str, Callable[[Catalogue, Sequence[Pattern]], Bools]] = {
    "name": lambda c, patterns: c.name.where(_part(patterns)),
    "map": lambda c, patterns: c.map.where(_whole(patterns)),
    "mode": _mode,
    "game": _game,
    "version": lambda c, patterns: c.version.where(_whole(patterns)),
    "country": lambda c, patterns: c.country.where(_whole(patterns)),
    "address": _address,
    "tag": _tag,
    "player": _player,
    "friend": _friend,
    "note": _note,
}
"""Name → the rows that match any of the patterns. Names, players, addresses and notes also match in part.

A friend is named by the group; `friend:yes` and `friend:no` are the flag's.
"""
