"""Whether two tellings that differ are of one round.

A round can be told by several: Natural Selection 2 posts the end of a match, with true times of joining but no date;
NS2+ writes a file of it, with its date but only the lengths of stays; a plan tells who will play. What they say
differs, and with it the content id. In doubt they are two rounds: one that stands there twice is seen, one that has
gone is not.
"""

from typing import Any, Final, NamedTuple

from browser_app.rating.match import Match, Player
from browser_app.rounds.round_file import convert
from browser_app.rounds.source import UNDATED

START_S: Final = 120.0
"""So far apart may the starts of one round be told: clocks differ, and some starts are reckoned from the end."""
LENGTH_S: Final = 5.0
"""The same for lengths."""
SURE_LENGTH_S: Final = 2.0
"""For those that must stand for a start that is not known."""
SURE_COUNTS: Final = 4
"""So many kills and deaths that are not 0 must then be told, and all be the same."""
PLAN_S: Final = 86_400.0
"""So far from its plan may a round be played under the plan's id."""
STEADY_S: Final = 60.0
"""Who was on a team for so long is in every telling."""

GAINS: Final = ("outcome", "players", "times", "date")
"""What one telling can have and another lack, the weightiest first; times are those of joining and leaving."""


class Telling(NamedTuple):
    """A round as one teller has it."""

    match: Match
    server: str | None = None
    undated: bool = False
    """Its start is a guess: see `rounds.source.UNDATED`."""
    approximate: bool = False
    """Only the lengths of stays are known, not when they were."""

    @property
    def finished(self) -> bool:
        """There is an outcome."""
        return self.match.ranks is not None

    @property
    def worth(self) -> tuple[bool, bool, bool, bool]:
        """Which of `GAINS` it has; of two tellings the one that has the first of them tells more."""
        return self.finished, bool(self.match.players), not self.approximate, not self.undated


def telling_of(round_object: dict[str, Any]) -> Telling:
    """What an object of the round file tells.

    Raises:
        FieldError: it is no round.
    """
    server = round_object.get("server")
    return Telling(
        convert(round_object),
        server if isinstance(server, str) and server else None,
        round_object.get(UNDATED) is True,
        round_object.get("approximate") is True,
    )


def is_same(one: Telling, other: Telling) -> bool:
    """Whether both tell one round. Symmetric; that a telling is itself is not for here to say."""
    if not (_agree_on_place(one, other) and _agree_on_outcome(one, other)):
        return False
    if _is_plan_of(one, other) or _is_plan_of(other, one):
        return True
    if not one.match.players or not other.match.players:
        return one.server is not None and one.server == other.server and _near(one, other) and one.finished
    if not _same_people(one, other):
        return False
    return (_near(one, other) and _counts_agree(one, other, 0.5)) or _sure_without_date(one, other)


def _agree_on_place(one: Telling, other: Telling) -> bool:
    a, b = one.match, other.match
    pairs = ((a.map, b.map), (a.mode, b.mode), (one.server, other.server))
    return a.game == b.game and set(a.teams) == set(b.teams) and all(not x or not y or x == y for x, y in pairs)


def _agree_on_outcome(one: Telling, other: Telling) -> bool:
    a, b = one.match, other.match
    if a.ranks is None or b.ranks is None:
        return a.ranks is not b.ranks  # two that have no outcome cannot be checked
    return dict(zip(a.teams, a.ranks, strict=True)) == dict(zip(b.teams, b.ranks, strict=True))


def _near(one: Telling, other: Telling) -> bool:
    """They start together, and are as long where both are over."""
    a, b = one.match, other.match
    if a.started is None or b.started is None or abs(a.started - b.started) > START_S or not a.map or not b.map:
        return False
    if a.duration is None or b.duration is None:
        return not (one.finished and other.finished)
    longer = a.duration - b.duration
    if one.finished and other.finished:
        return abs(longer) <= LENGTH_S
    return longer >= -LENGTH_S if one.finished else longer <= LENGTH_S


def _sure_without_date(one: Telling, other: Telling) -> bool:
    """One has no date, so that its start is when its file was copied: length and counts then stand for it."""
    if one.undated == other.undated or not (one.finished and other.finished):
        return False
    guess, dated = (one.match, other.match) if one.undated else (other.match, one.match)
    if guess.started is None or dated.started is None or guess.duration is None or dated.duration is None:
        return False
    if guess.started < dated.started - START_S or abs(guess.duration - dated.duration) > SURE_LENGTH_S:
        return False
    telling_counts = sum(count > 0 for each in _counts(guess).values() for count in each)
    return telling_counts >= SURE_COUNTS and _counts_agree(one, other, 1)


def _counts_agree(one: Telling, other: Telling, share: float) -> bool:
    """Of those whose kills and deaths both tell, this share at least has the same."""
    counts, others = _counts(one.match), _counts(other.match)
    both = counts.keys() & others.keys()
    if not one.finished or not other.finished or not both:
        return share < 1
    return sum(counts[each] == others[each] for each in both) >= share * len(both)


def _counts(match: Match) -> dict[str, tuple[float, float]]:
    """Kills and deaths of those whose are told."""
    return {
        player.id: (player.kills, player.deaths)
        for player in match.players
        if player.kills is not None and player.deaths is not None
    }


def _same_people(one: Telling, other: Telling) -> bool:
    """Those who were there for long are in both, on the same side; in one that was cut short, those so far."""
    sides, others = _sides(one.match), _sides(other.match)
    known, known_there = _steady(one.match), _steady(other.match)
    if not known or not known_there:
        return False
    steady = (known if other.finished else set()) | (known_there if one.finished else set())
    return all(each in sides and each in others and (sides[each] & others[each]) for each in steady)


def _sides(match: Match) -> dict[str, set[str]]:
    return {player.id: {stay.team for stay in player.stays} for player in match.players}


def _steady(match: Match) -> set[str]:
    least = STEADY_S if match.duration is None else min(STEADY_S, match.duration / 2)
    return {player.id for player in match.players if _there(player) >= least}


def _there(player: Player) -> float:
    return sum(stay.leave - stay.enter for stay in player.stays)


def _is_plan_of(plan: Telling, played: Telling) -> bool:
    """One without an outcome is what was expected of the other, played under its id by most of those it names."""
    a, b = plan.match, played.match
    if plan.finished or not played.finished or a.id != b.id:
        return False
    if a.started is not None and b.started is not None and abs(a.started - b.started) > PLAN_S:
        return False
    there = {player.id for player in b.players}
    return sum(player.id in there for player in a.players) * 2 >= len(a.players) > 0
