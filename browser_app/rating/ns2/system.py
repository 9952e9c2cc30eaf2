"""The NS2 skill as one of the rating systems."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from browser_app.rating.ns2.declared import PARAMETERS, PRESETS, settings_of
from browser_app.rating.ns2.run import NS2Run
from browser_app.rating.ns2.solved import NS2SolvedRun
from browser_app.rating.parameters import Parameter, ParameterSet
from browser_app.rating.record import Record
from browser_app.rating.system import RatingSystem


class NS2(RatingSystem):
    """``ns2``: one skill for all modes, an offset by side, a commander skill."""

    name: ClassVar[str] = "ns2"
    declared: ClassVar[Sequence[Parameter]] = PARAMETERS
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = PRESETS

    def __init__(self, parameters: ParameterSet) -> None:
        super().__init__(parameters)
        self._settings = settings_of(parameters)

    def start(self, record: Record) -> NS2Run:
        """Everybody at ``start``."""
        return NS2Run(record, self._settings)

    def solve(self, record: Record) -> NS2SolvedRun:
        """The most probable skills given the whole record."""
        return NS2SolvedRun(record, self._settings)
