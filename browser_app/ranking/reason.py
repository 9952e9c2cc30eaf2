"""Why Play Now chose a server, in one honest sentence."""

from collections.abc import Callable, Iterator
from math import isnan

from browser_app.games.profile import RankingConstants
from browser_app.ranking.case import Case
from browser_app.ranking.inputs import RankingInputs
from browser_app.ranking.sentences import FAIR_PING, FEW_PLAYERS, GOOD_PING
from browser_app.ranking.wording import Sentence, whole

_LIKE_YOURS = 0.9
"""Skill factor from which theirs is like the user's; from `_NEAR_YOURS` it is near."""
_NEAR_YOURS = 0.7


def reason(inputs: RankingInputs, constants: RankingConstants) -> tuple[Sentence, ...]:
    """What speaks for and against the one server in `inputs`, most important first.

    `reason_text` joins the parts to a sentence: "A full game is on and has room; near you; skill like yours."
    """
    case = Case.of(inputs, constants)
    parts = [_game(case), _distance(case), _skill(case), _performance(case), *_own(case)]
    return tuple(part for part in parts if part is not None)


def reason_text(parts: tuple[Sentence, ...], translate: Callable[[str], str] = str) -> str:
    """The sentence, English unless `translate` says otherwise."""
    return "; ".join(part.translated(translate) for part in parts) + "."


def _game(case: Case) -> Sentence:
    players, viability = case.number("players"), case.viability()
    if isnan(players):
        return Sentence("How many play is unknown")
    if players <= 0:
        return Sentence("Nobody is playing yet")
    if viability >= 0.5:
        return _room(case)
    if viability >= FEW_PLAYERS:
        return Sentence("Nearly a full game: {players} playing", players=whole(players))
    if players == 1:
        return Sentence("1 is playing and needs others")
    return Sentence("{players} are playing and need more", players=whole(players))


def _room(case: Case) -> Sentence:
    if case.full:
        return Sentence("A full game is on, without a free slot")
    if isnan(case.number("usable_slots")):
        return Sentence("A full game is on")
    return Sentence("A full game is on and has room")


def _distance(case: Case) -> Sentence:
    ping, value = case.number("ping_ms"), case.factors["ping"]
    if isnan(ping):
        return Sentence("ping unknown")
    if value >= GOOD_PING:
        return Sentence("near you")
    if value >= FAIR_PING:
        return Sentence("fair ping of {ping} ms", ping=whole(ping))
    return Sentence("slow at {ping} ms", ping=whole(ping))


def _skill(case: Case) -> Sentence | None:
    value = case.factors["skill"]
    if isnan(case.z) or not case.number("players") >= 2:
        return None
    if value >= _LIKE_YOURS:
        return Sentence("skill like yours")
    if value >= _NEAR_YOURS:
        return Sentence("skill near yours")
    if case.number("server_skill") > case.number("player_skill"):
        return Sentence("they are better than you")
    return Sentence("you are better than they are")


def _performance(case: Case) -> Sentence | None:
    if case.performance < -10:
        return Sentence("the server is struggling")
    return Sentence("the server is loaded") if case.performance < 0 else None


def _own(case: Case) -> Iterator[Sentence]:
    if case.flag("favourite"):
        yield Sentence("your favourite")
    if case.flag("friends"):
        yield Sentence("friends are on")
    if case.flag("recently_left"):
        yield Sentence("you left it a short while ago")
