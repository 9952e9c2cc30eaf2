"""Scores of all shipped games and modes: limited, and comparable in one list."""

from fractions import Fraction

import numpy as np
import pytest

from browser_app.catalogue.mode_ranking import ModeRankingTable
from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import load_games
from browser_app.paths import resource_folder
from browser_app.ranking.ranking_inputs import FloatArray, RankingConstantsTable, RankingInputs
from browser_app.ranking.server_score import compute_scores

GAMES = load_games(resource_folder() / "games")
UNKNOWN_GAME = {("a game without a profile", ""): RankingConstants()}
ALL_CONSTANTS = UNKNOWN_GAME | {
    (game.id, mode): constants
    for game in GAMES.values()
    for mode, constants in {"": game.ranking, **game.mode_ranking}.items()
}
MOST_SLOTS = 255
"""As many as one byte of a reply can claim."""


def scores(constants: RankingConstants, players: FloatArray, slots: FloatArray, **values: float) -> FloatArray:
    ping = np.full(len(players), 0.0)
    columns = {name: np.array(value) for name, value in values.items()}
    inputs = RankingInputs(players=players, usable_slots=slots, ping_ms=ping, **columns)
    return compute_scores(inputs, RankingConstantsTable([constants])).total


@pytest.mark.parametrize("mode", ALL_CONSTANTS, ids="-".join)
def test_score_above_one_needs_favourite_or_friend(mode: tuple[str, str]) -> None:
    """Every number of players and slots, at the best other factors there are."""
    players, slots = (grid.ravel() for grid in np.meshgrid(np.arange(MOST_SLOTS + 1.0), np.arange(MOST_SLOTS + 1.0)))
    best = scores(ALL_CONSTANTS[mode], players, slots, performance=100.0, server_skill=1000.0, player_skill=1000.0)
    assert 0.55 < best.max() <= 1


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3, 2)], ids=str)
def test_equally_busy_servers_score_alike(share: Fraction) -> None:
    """`share` is the number of players relative to the game's viable number.

    Slots are free everywhere.
    """
    by_mode = {}
    for mode, constants in ALL_CONSTANTS.items():
        players = share * Fraction(constants.viability_midpoint)
        if players.denominator == 1:
            by_mode[mode] = scores(constants, np.array([float(players)]), np.array([float(MOST_SLOTS)]))[0]
    assert len(by_mode) > len(GAMES)
    assert max(by_mode.values()) < 2 * min(by_mode.values()), by_mode


@pytest.mark.parametrize("mode", ALL_CONSTANTS, ids="-".join)
def test_absurd_slots_never_win(mode: tuple[str, str]) -> None:
    """A server with 255 slots scores as one with the most slots that count."""
    constants = ALL_CONSTANTS[mode]
    players = np.arange(constants.slot_cap)
    claimed = scores(constants, players, np.full(len(players), float(MOST_SLOTS)))
    usual = scores(constants, players, np.full(len(players), constants.slot_cap))
    np.testing.assert_array_equal(claimed, usual)


def test_unknown_games_are_limited_too() -> None:
    row = ModeRankingTable(GAMES).find_or_add("no such game", "")
    assert ModeRankingTable(GAMES).constants().columns_for(np.array([row]))["slot_cap"][0] == 24
