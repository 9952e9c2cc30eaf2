"""Parameters of single modes apply as if the mode were the only one.

The others are inherited.
"""

from collections.abc import Mapping, Sequence

import pytest
from xonstat_helpers import duel, modes_found

from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.game_round import Round
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import Rating, RatingRun, RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.xonstat.elo_blog import EloBlogSystem
from browser_app.rating.xonstat.elo_xonstat import EloXonStatSystem
from browser_app.rating.xonstat.xonstat_go import XonStatGoSystem

PAIRS = [tuple(pair) for pair in ("ab", "bc", "ca", "ab", "cb", "ab")]
ROUNDS = [
    duel(winner, loser, number + 100 * place, mode=mode)
    for number, (winner, loser) in enumerate(PAIRS)
    for place, mode in enumerate(("ctf", "tdm"))
]
OF_TDM: Mapping[type[RatingSystem], Mapping[str, float]] = {
    EloBlogSystem: {"start": 1000.0, "k_end": 10.0},
    EloXonStatSystem: {"start": 1000.0, "k_end": 10.0, "floor": 950.0},
    XonStatGoSystem: {"start": 2000.0, "start_sd": 300.0, "beta": 100.0, "floor": 1950.0},
}


def rated(kind: type[RatingSystem], rounds: Sequence[Round], **file: Mapping[str, object]) -> RatingRun:
    run = kind(resolve_parameters(kind.declared_parameters, file=file)).new_run(build_record(rounds))
    ForwardPass(run).advance_to(len(run.record))
    return run


@pytest.mark.parametrize("kind", OF_TDM)
def test_mode_uses_own_parameters(kind: type[RatingSystem]) -> None:
    fields = ("mean", "sd") if kind is XonStatGoSystem else ("rating",)
    both = modes_found(rated(kind, ROUNDS, modes={"tdm": OF_TDM[kind]}), *fields)
    alone = rated(kind, [each for each in ROUNDS if each.mode == "tdm"], default=OF_TDM[kind])
    plain = rated(kind, [each for each in ROUNDS if each.mode == "ctf"])
    assert both == modes_found(alone, *fields) | modes_found(plain, *fields)


@pytest.mark.parametrize("kind", OF_TDM)
def test_newcomer_has_initial_rating_of_mode(kind: type[RatingSystem]) -> None:
    run = rated(kind, [duel("a", "b", 0, mode="ctf"), duel("c", "d", 1, mode="tdm")], modes={"tdm": OF_TDM[kind]})
    players, modes = run.record.player_ids, run.record.modes
    first = Rating(OF_TDM[kind]["start"], OF_TDM[kind].get("start_sd"))
    assert run.rating(players.index("a"), modes.index("tdm")) == first
    before, _ = run.simulate_single_round(build_record([duel("a", "new", 2, mode="tdm")]), 1)
    assert before == first
