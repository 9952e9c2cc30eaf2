"""Everybody's skill as ``rate`` prints it."""

import math
from collections.abc import Mapping

from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.skills import Skills


def standings(setting: Setting, skills: Skills, *, over_modes: bool) -> dict[str, Mapping[str, object]]:
    """By id ``mean``, ``sd``, ``rounds`` and ``modes`` with the same of each mode.

    On top stands the mode with most rounds; ``over_modes``: the skill over modes, weighted by rounds, and all rounds.
    """

    def in_mode(slot: int) -> dict[str, object]:
        mean, var = skills.skill(slot)
        return {"mean": mean, "sd": math.sqrt(var), "rounds": skills.rounds[slot]}

    table = setting.slots.table(skills.rounds, in_mode)
    if not over_modes:
        return table
    own: dict[str, list[int]] = {}
    for slot, player in enumerate(setting.slots.player.tolist()):
        if skills.rounds[slot]:
            own.setdefault(setting.record.player_ids[player], []).append(slot)
    for player_id, slots in own.items():
        mean, var = skills.average(slots)
        rounds = sum(skills.rounds[slot] for slot in slots)
        table[player_id] = {**table[player_id], "mean": mean, "sd": math.sqrt(var), "rounds": rounds}
    return table
