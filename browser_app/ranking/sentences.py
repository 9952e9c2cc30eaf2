"""What is said about each factor of one server's score: the fact first, then what it does."""

from collections.abc import Callable, Mapping
from math import isnan

from browser_app.ranking.case import Case
from browser_app.ranking.wording import Sentence, factor_text, whole

GOOD_PING = 0.7
"""Ping factor from which a ping is good; from `FAIR_PING` it is fair, below slow."""
FAIR_PING = 0.4
FULL_GAME = 0.8
"""Viability from which one more player counts little; below `FEW_PLAYERS` there are too few for a game."""
FEW_PLAYERS = 0.25

TITLES: Mapping[str, Sentence] = {
    "players": Sentence("Players"),
    "ping": Sentence("Ping"),
    "performance": Sentence("Performance"),
    "skill": Sentence("Skill"),
    "joinable": Sentence("Joinable"),
    "favorite": Sentence("Favourite"),
    "password": Sentence("Password"),
    "empty": Sentence("Empty"),
    "ranked": Sentence("Ranked"),
    "friends": Sentence("Friends"),
    "recently_left": Sentence("Recently left"),
    "other_mode": Sentence("Other mode"),
    "blocked": Sentence("Blocked"),
    "forecast": Sentence("Forecast"),
}


def factor_title(name: str) -> Sentence:
    """The factor's title; one without its own goes by its name."""
    return TITLES.get(name) or Sentence("{name}", name=name)


def factor_sentence(name: str, case: Case) -> Sentence:
    """What is to say about the factor `name` of this server."""
    special = _SPECIAL.get(name)
    if special is not None:
        return special(case)
    value = case.factors[name]
    if value == 1.0:
        return Sentence("Does not count here.")
    return _EXTRAS.get(name, _ANY_EXTRA).filled(value=factor_text(value))


def ping_target_ms(case: Case) -> float:
    """A better ping to compare with: 40 ms for a slow one, else 20 ms."""
    return 40.0 if case.factors["ping"] < FAIR_PING else 20.0


def _players(case: Case) -> Sentence:
    players, slots = case.number("players"), case.number("usable_slots")
    if isnan(players):
        return Sentence("How many play is unknown, so it is not ranked.")
    counts = {"players": whole(players), "slots": whole(slots)}
    if isnan(slots):
        return Sentence("{players} playing, slots unknown: nothing is added for free ones.", **counts)
    if players >= slots:
        return Sentence("{players} of {slots} playing: no slot left.", **counts)
    if case.viability() >= FULL_GAME:
        return Sentence("{players} of {slots} playing: one more counts little here.", **counts)
    if case.viability() >= FEW_PLAYERS:
        return Sentence("{players} of {slots} playing: nearly full enough, each extra player helps.", **counts)
    return Sentence("{players} of {slots} playing: too few for a game, each one more helps a lot.", **counts)


def _ping(case: Case) -> Sentence:
    ping, value, target = case.number("ping_ms"), case.factors["ping"], ping_target_ms(case)
    if isnan(ping):
        return Sentence("No answer, so it is not ranked.")
    verdict = Sentence("good") if value >= GOOD_PING else Sentence("fair") if value >= FAIR_PING else Sentence("slow")
    text = "<1" if ping < 1 else whole(ping)
    if ping <= target:
        return Sentence("{ping} ms: {verdict}.", ping=text, verdict=verdict)
    then = Sentence(
        "{target} ms would make it {better}.", target=whole(target), better=factor_text(case.ping_factor(target))
    )
    return Sentence("{ping} ms: {verdict}. {then}", ping=text, verdict=verdict, then=then)


def _performance(case: Case) -> Sentence:
    performance = case.performance
    if isnan(performance):
        if case.flag("reports_performance"):
            return Sentence("This server does not report its performance: counts as 0.")
        return Sentence("This game reports no performance; it does not count.")
    text = whole(performance)
    if performance < -10:
        return Sentence("Reported {performance}: this server is struggling.", performance=text)
    if performance < 0:
        return Sentence("Reported {performance}: this server is loaded.", performance=text)
    if performance < 10:
        return Sentence("Reported {performance}: it keeps up, with little to spare.", performance=text)
    return Sentence("Reported {performance}: above 10 all are alike.", performance=text)


def _skill(case: Case) -> Sentence:
    theirs, mine = case.number("server_skill"), case.number("player_skill")
    if isnan(mine):
        return Sentence("Your skill is unknown, so it does not count.")
    if isnan(theirs):
        return Sentence("Their skill is unknown, so it does not count.")
    if not case.number("players") >= 2:
        return Sentence("Fewer than 2 are playing, so skill does not count.")
    return Sentence(
        "Their mean {theirs}, yours {mine} (z = {z}).", theirs=whole(theirs), mine=whole(mine), z=f"{case.z:.1f}"
    )


def _joinable(case: Case) -> Sentence:
    value, slots = factor_text(case.factors["joinable"]), case.number("usable_slots")
    if case.full:
        if case.factors["joinable"] == 1.0:
            return Sentence("Full, which does not count here.")
        if not case.flag("can_join"):
            return Sentence("The server lets nobody join now: counts {value}.", value=value)
        return Sentence("Full: counts {value} until somebody leaves.", value=value)
    free = slots - case.number("players")
    if isnan(free):
        return Sentence("Free slots are unknown, so it counts as open.")
    if free == 1:
        return Sentence("1 slot free for you.")
    return Sentence("{free} slots free for you.", free=whole(free))


def _favorite(case: Case) -> Sentence:
    value = factor_text(case.constants.favourite)
    if case.flag("favourite"):
        return Sentence("Your favourite: counts ×{value}.", value=value)
    if case.constants.favourite == 2.0:
        return Sentence("Not one. It would double the score.")
    return Sentence("Not one. It would make the score ×{value}.", value=value)


_SPECIAL: Mapping[str, Callable[[Case], Sentence]] = {
    "players": _players,
    "ping": _ping,
    "performance": _performance,
    "skill": _skill,
    "joinable": _joinable,
    "favorite": _favorite,
}

_EXTRAS: Mapping[str, Sentence] = {
    "password": Sentence("It needs a password: counts {value}."),
    "empty": Sentence("Nobody is playing: counts {value}."),
    "ranked": Sentence("Ranked: counts ×{value}."),
    "friends": Sentence("Friends are on: counts ×{value}."),
    "recently_left": Sentence("You left it within the last 10 minutes: counts {value}."),
    "other_mode": Sentence("Not the game's main mode: counts {value}."),
    "blocked": Sentence("You blocked it: counts {value}."),
    "forecast": Sentence("What is likely in 30 minutes counts ×{value}."),
}
"""What is said of a factor that is not 1."""

_ANY_EXTRA = Sentence("Counts {value}.")
