"""Everybody in a record without its rounds: what a run is seated on to be kept or sent."""

from dataclasses import replace

import numpy as np

from browser_app.rating.mode_slots import ModeSlots
from browser_app.rating.record import NO_RANK, Record, Spells
from browser_app.rating.record_columns import starts


def roster(record: Record) -> Record:
    """One round to come for each mode, with everybody who has played it and is on no team yet.

    ``run.seated(roster(run.record))`` knows all that the run knows and is as small as it can be. The rounds start when
    the last of the record did.
    """
    slots = ModeSlots(record)
    modes, count = np.unique(slots.mode, return_counts=True)
    rounds, people = len(modes), len(slots)
    nobody = np.zeros(0, np.int32)
    none = Spells(nobody, nobody, np.zeros(0), np.zeros(0))
    unknown, flag = np.broadcast_to(np.nan, people), np.broadcast_to(np.int8(-1), people)
    return replace(
        record,
        ids=[f"everybody in mode {mode}" for mode in modes.tolist()],
        given=np.arange(rounds, dtype=np.int32),
        game=np.full(rounds, -1, np.int32),
        map=np.full(rounds, -1, np.int32),
        mode=modes.astype(np.int32),
        started=np.full(rounds, record.started.max(initial=0.0)),
        duration=np.full(rounds, np.nan),
        team_start=2 * np.arange(rounds + 1, dtype=np.int64),
        team_name=np.zeros(2 * rounds, np.int32),
        team_race=np.full(2 * rounds, -1, np.int32),
        team_rank=np.full(2 * rounds, NO_RANK, np.int32),
        appearance_start=starts(count.astype(np.int32)),
        player=slots.player,
        kills=unknown,
        deaths=unknown,
        score=unknown,
        ping=unknown,
        squad=np.full(people, -1, np.int32),
        quit=flag,
        ranked=flag,
        stays=none,
        chairs=none,
    )
