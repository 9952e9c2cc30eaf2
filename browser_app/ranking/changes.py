"""What would change one server's score most."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan, nan

from browser_app.ranking.case import Case
from browser_app.ranking.sentences import ping_target_ms
from browser_app.ranking.wording import Sentence, whole

_WORTH_TELLING = 1.02
"""What changes the score by less looks the same in two decimals."""
_REACH = 3
"""So many players more or fewer are within reach."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that would raise the score."""

    what: Sentence
    before: float
    after: float
    """Above `before`."""


@dataclass(frozen=True, slots=True)
class _Variant:
    kind: str
    what: Sentence
    inputs: dict[str, float]


def best_changes(case: Case, count: int = 3) -> tuple[Change, ...]:
    """The changes that raise the score most, best first, at most one of a kind; none where it is not ranked."""
    if isnan(case.total):
        return ()
    variants = [*_own_choices(case), *_of_the_server(case), *_players(case)]
    best: dict[str, Change] = {}
    totals = case.totals([variant.inputs for variant in variants])
    for variant, after in sorted(zip(variants, totals.tolist(), strict=True), key=lambda pair: -pair[1]):
        if after > case.total * _WORTH_TELLING:
            best.setdefault(variant.kind, Change(variant.what, case.total, after))
    return tuple(best.values())[:count]


def _own_choices(case: Case) -> Iterator[_Variant]:
    if not case.flag("favourite"):
        yield _Variant("favourite", Sentence("As your favourite"), {"favourite": 1.0})
    if case.flag("blocked"):
        yield _Variant("blocked", Sentence("No longer blocked"), {"blocked": 0.0})
    if case.flag("recently_left"):
        yield _Variant("recently left", Sentence("10 minutes after you left"), {"recently_left": 0.0})


def _of_the_server(case: Case) -> Iterator[_Variant]:
    mine, ping, target = case.number("player_skill"), case.number("ping_ms"), ping_target_ms(case)
    if not isnan(mine) and not isnan(case.number("server_skill")):
        yield _Variant("skill", Sentence("Skill equal to yours"), {"server_skill": mine})
    if ping > target:
        what = Sentence("{target} ms instead of {ping}", target=whole(target), ping=whole(ping))
        yield _Variant("ping", what, {"ping_ms": target})
    if case.factors["performance"] < 1 and not case.performance >= 10:
        yield _Variant("performance", Sentence("A performance of 10"), {"performance": 10.0, "quality": nan})
    if case.flag("password"):
        yield _Variant("password", Sentence("Without a password"), {"password": 0.0})


def _players(case: Case) -> Iterator[_Variant]:
    players, slots = case.number("players"), case.number("usable_slots")
    for shift in range(-_REACH, _REACH + 1):
        then = players + shift
        if shift == 0 or then < 0 or then >= slots:
            continue
        yield _Variant("players", _player_words(shift, whole(abs(shift)), whole(then)), {"players": then})


def _player_words(shift: int, count: str, then: str) -> Sentence:
    if shift == 1:
        return Sentence("1 player more ({then})", then=then)
    if shift == -1:
        return Sentence("1 player fewer ({then})", then=then)
    if shift > 0:
        return Sentence("{count} players more ({then})", count=count, then=then)
    return Sentence("{count} players fewer ({then})", count=count, then=then)
