"""One player's way through a record under one rating system: what was said before each of his rounds, and after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from browser_app.player.own_rounds import OwnRounds, own_rounds
from browser_app.player.packed import packed, unpacked
from browser_app.player.scale import unit, weigh
from browser_app.rating.prediction import Prediction
from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Floats, Ints, Record
from browser_app.rating.system import RatingRun, RatingSystem

_TOLD = 512  # rounds between two words about progress
VERSION = 1
"""Of the form of what is kept in the cache: another one is not read."""


@dataclass(frozen=True)
class OwnHistory:
    """The rounds in which a player was on a team, by start: one entry each in every column.

    Ratings are in displayed units: NS2 points, else the system's own. Times are in seconds since 1970 (UTC). A change
    is ``after − before``: between two rounds time may move a rating as well, and each mode may have one of its own.

    Attributes:
        game: its id. system: its name. player: his id in the record.
        ids: the rounds' ids. round: their indices in the record.
        duration: seconds, NaN where unknown.
        map, mode, team, server: indices into ``maps``, ``modes``, ``teams``, ``servers``; −1 for none. The team is the
            one he was longest on.
        size_mine, size_other: people on his team and on all others, each counted where he was longest.
        share: of the round's time, weighted as the system does, on any team, 0 to 1; NaN without a duration.
        chair: of the same, in the commander's chair.
        probability: of his team, said before the round with everybody's presence as it turned out: P(win | no draw) of
            two teams, P(first place alone) of more; NaN where the round was not rated.
        outcome: 1 won, 0 not, ½ drawn (first place shared), NaN without an outcome.
        before, after: the rating in the round's mode.
        sd: that of ``after``, NaN where the system has none; `full_doubt` has one for ns2.
        approximate: whether the record does not tell who was there when.
        why: the reason why the round was not rated, "" where it was.
    """

    game: str
    system: str
    player: str
    maps: tuple[str, ...]
    modes: tuple[str, ...]
    teams: tuple[str, ...]
    servers: tuple[str, ...]

    ids: tuple[str, ...]
    why: tuple[str, ...]
    round: Ints
    started: Floats
    duration: Floats
    map: Ints
    mode: Ints
    team: Ints
    server: Ints
    size_mine: Ints
    size_other: Ints
    share: Floats
    chair: Floats
    probability: Floats
    outcome: Floats
    before: Floats
    after: Floats
    sd: Floats
    approximate: NDArray[np.bool_]

    def __len__(self) -> int:
        """How many rounds."""
        return len(self.ids)

    def to_bytes(self) -> bytes:
        """As they are kept."""
        return packed(self, VERSION)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """What ``to_bytes`` made.

        Raises:
            ValueError: it is of another version, or damaged.
        """
        return unpacked(cls, content, VERSION)


class Said(NamedTuple):
    """What a run told of one round with the player, in the system's own units.

    Attributes:
        prediction: None where the round was not rated; ``why`` says the reason then.
    """

    prediction: Prediction | None
    before: float
    after: float
    sd: float | None
    why: str


def own_history(
    record: Record,
    system: RatingSystem,
    player: str,
    *,
    game: str = "",
    servers: Sequence[str | None] | None = None,
    approximate: NDArray[np.bool_] | None = None,
    run: RatingRun | None = None,
    progress: Progress = untold,
) -> OwnHistory:
    """Take a system forward over a record, asking what it says of one player's rounds only.

    Args:
        record: all rounds of one game.
        system: with its parameters.
        player: his id; who is not in the record has no rounds.
        game: the game's id.
        servers: where each round of the record was played; None: unknown of all.
        approximate: of which rounds it is not known who was there when; None: it is known of all.
        run: a fresh run of the system over the record, which is left at its end; None makes one.
        progress: told rounds done, of all.
    """
    run = system.start(record) if run is None else run
    index = record.player_ids.index(player) if player in record.player_ids else -1
    own = own_rounds(record, index, weigh(system))
    said = forward(run, index, own, progress)
    chances = [
        np.nan if each.prediction is None else chance_of(each.prediction, team)
        for each, team in zip(said, own.team.tolist(), strict=True)
    ]
    before, after, sd = (
        np.array([np.nan if each[i] is None else each[i] for each in said], np.float64) for i in range(1, 4)
    )
    points = unit(system.name)
    rounds = own.round
    places, server = _numbered([] if servers is None else [servers[k] for k in rounds.tolist()], len(rounds))
    teams = record.team_name[record.team_start[rounds] + own.team]
    return OwnHistory(
        game=game,
        system=system.name,
        player=player,
        maps=record.maps,
        modes=record.modes,
        teams=record.team_names,
        servers=places,
        ids=tuple([record.ids[k] for k in rounds.tolist()]),
        why=tuple([each.why for each in said]),
        round=rounds,
        started=record.started[rounds],
        duration=record.duration[rounds],
        map=record.map[rounds],
        mode=record.mode[rounds],
        team=teams,
        server=server,
        size_mine=own.size_mine,
        size_other=own.size_other,
        share=own.share,
        chair=own.chair,
        probability=np.array(chances, np.float64),
        outcome=own.outcome,
        before=points * before,
        after=points * after,
        sd=points * sd,
        approximate=np.zeros(len(rounds), np.bool_) if approximate is None else approximate[rounds],
    )


def forward(run: RatingRun, player: int, own: OwnRounds, progress: Progress = untold) -> list[Said]:
    """Learn from the whole record; what is said of the player's (index) rounds, one entry each."""
    record = run.record
    said: list[Said] = []
    at = 0
    for k, mode in zip(own.round.tolist(), record.mode[own.round].tolist(), strict=True):
        _learn(run, at, k + 1, progress, but=k)
        why, before, prediction = run.unrated(k), run.rating(player, mode), None
        if why is None:
            prediction = run.prediction(k)
            run.update(k)
        after = run.rating(player, mode)
        said.append(Said(prediction, before.value, after.value, after.sd, why or ""))
        at = k + 1
    _learn(run, at, len(record), progress)
    progress(len(record), len(record))
    return said


def _learn(run: RatingRun, first: int, last: int, progress: Progress, but: int = -1) -> None:
    """Learn from rounds first to last - 1 but one."""
    for k in range(first, last):
        if k % _TOLD == 0:
            progress(k, len(run.record))
        if k != but and run.unrated(k) is None:
            run.update(k)


def chance_of(prediction: Prediction, team: int) -> float:
    """P(the team wins | no draw) of two, P(it is alone in first place) of more."""
    return prediction.beats[team][1 - team] if len(prediction.first) == 2 else prediction.first[team]


def _numbered(names: Sequence[str | None], length: int) -> tuple[tuple[str, ...], Ints]:
    """The distinct names, and for each of `length` places which it has; −1 for none."""
    known = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    if not names:
        return (), np.full(length, -1, np.int32)
    return tuple(known), np.array([-1 if name is None else known[name] for name in names], np.int32)
