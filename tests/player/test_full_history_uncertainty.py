"""The uncertainty after each round is that of a full-history solution of the rounds so far."""

from dataclasses import replace

import numpy as np
import pytest
from player_rounds import ME, league_record

from browser_app.player.full_history_uncertainty import apply_uncertainty, compute_full_history_uncertainty
from browser_app.player.own_history import compute_own_history
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import create_rating_system


def solved_sd(record: RoundRecord) -> float:
    run = create_rating_system("ns2").solve(record)
    assert run is not None
    sd = run.rating(record.player_ids.index(ME), 0).sd
    assert sd is not None
    return 50.0 * sd


def test_uncertainty_falls_to_final_solution() -> None:
    record, system = league_record(120), create_rating_system("ns2")
    history = compute_own_history(record, system, ME)
    found = compute_full_history_uncertainty(record, system, ME)
    assert found is not None
    sd = found.rating
    assert len(sd) == len(history)
    assert sd[-1] == pytest.approx(solved_sd(record))
    assert sd[0] == pytest.approx(solved_sd(record.first_rounds(int(history.round[0]) + 1)))
    assert found.commander is not None
    assert 0.0 < found.commander < 500.0
    assert sd[-1] < sd[0] < 500.0  # a newcomer's, by the default prior
    assert (np.diff(sd) < 40.0).all()  # a surprising result may increase it, in small steps


def test_told_skill_adds_information() -> None:
    """1 / sd² of the rounds and 1 / sd² of what the game knew add up; 4 gradients² are 25 points."""
    record, system = league_record(60), create_rating_system("ns2")
    told = np.where(record.player == record.player_ids.index(ME), 4.0, np.nan)
    anchored = replace(record, skill=np.where(np.isnan(told), np.nan, 1000.0), adagrad_sum=told)
    plain, informed = (compute_full_history_uncertainty(each, system, ME) for each in (record, anchored))
    assert plain is not None
    assert informed is not None
    assert informed.rating**-2.0 == pytest.approx(plain.rating**-2.0 + 25.0**-2.0)


def test_interpolation_is_close_to_solutions() -> None:
    record, system = league_record(120), create_rating_system("ns2")
    history = compute_own_history(record, system, ME)
    found = compute_full_history_uncertainty(record, system, ME)
    assert found is not None
    sd = found.rating
    for n in (6, 23, 57):
        assert sd[n] == pytest.approx(solved_sd(record.first_rounds(int(history.round[n]) + 1)), rel=0.15)


def test_no_uncertainty_without_rating() -> None:
    record, system = league_record(120), create_rating_system("ns2")
    history, found = compute_own_history(record, system, ME), compute_full_history_uncertainty(record, system, ME)
    assert found is not None
    after = history.after.copy()
    after[:3] = np.nan
    applied = apply_uncertainty(replace(history, after=after), found)
    assert applied.sd_from == "full history"
    assert np.isnan(applied.sd[:3]).all()
    assert applied.sd[3:].tolist() == found.rating[3:].tolist()


def test_unknown_is_none() -> None:
    record = league_record(10)
    assert compute_full_history_uncertainty(record, create_rating_system("ns2"), "nobody") is None
    assert compute_full_history_uncertainty(record, create_rating_system("elo-blog"), ME) is None
    assert compute_full_history_uncertainty(record.first_rounds(0), create_rating_system("ns2"), ME) is None
