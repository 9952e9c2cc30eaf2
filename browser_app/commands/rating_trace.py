"""The trace of a rating run: one entry a rated round, printed as it comes, for a record may have a million."""

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from browser_app.commands.output import json_text
from browser_app.rating.rate import Forward, Step, outcome
from browser_app.rating.record import Record


class Trace:
    """Prints `{"trace": [{…}, …], …}`; `end` must be called, also for no entries."""

    def __init__(self, forward: Forward) -> None:
        self._forward = forward
        self._record = forward.run.record
        self._on_a_team = np.zeros(len(self._record.player), np.bool_)
        self._on_a_team[self._record.stays.appearance] = True
        self._before = '{"trace": ['

    def to(self, last: int) -> None:
        """Learn from all rounds before `last`, printing each rated one."""
        for step in self._forward.steps(last):
            sys.stdout.write(self._before + json_text(self._entry(step)))
            self._before = ",\n"

    def end(self, rest: Mapping[str, Any]) -> None:
        """Print everything else."""
        sys.stdout.write(("" if self._before == ",\n" else self._before) + "], " + json_text(rest)[1:] + "\n")
        sys.stdout.flush()

    def _entry(self, step: Step) -> dict[str, Any]:
        """Changes are of all who were on a team, also where a rating stayed as it was."""
        record, k = self._record, step.round
        there = self._on_a_team[record.appearances(k)].tolist()
        changes = {
            name: {"before": before.value, "after": after.value, "sd": after.sd}
            for name, before, after, on_a_team in zip(record.players(k), step.before, step.after, there, strict=True)
            if on_a_team
        }
        return {"id": record.ids[k], **_said(record, step), "changes": changes}


def _said(record: Record, step: Step) -> dict[str, Any]:
    said: dict[str, Any] = {
        "probability": step.prediction.probability,
        "forecast": None if step.forecast is None else step.forecast.probability,
        "outcome": outcome(record, step.round),
    }
    if len(step.prediction.first) > 2:
        said["probabilities"] = dict(zip(record.teams(step.round), step.prediction.first, strict=True))
    return said
