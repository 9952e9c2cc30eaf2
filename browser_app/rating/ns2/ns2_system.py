"""NS2 rating system."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from browser_app.rating.ns2.ns2_full_history import NS2FullHistoryRun
from browser_app.rating.ns2.ns2_parameters import NS2_PARAMETERS, NS2_PRESETS, resolve_ns2_settings
from browser_app.rating.ns2.ns2_run import NS2Run
from browser_app.rating.rating_parameters import Parameter, ParameterSet
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.round_record import RoundRecord


class NS2System(RatingSystem):
    """``ns2``: one skill for all modes, an offset by side, a commander skill."""

    name: ClassVar[str] = "ns2"
    declared_parameters: ClassVar[Sequence[Parameter]] = NS2_PARAMETERS
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = NS2_PRESETS

    def __init__(self, parameters: ParameterSet) -> None:
        super().__init__(parameters)
        self._settings = resolve_ns2_settings(parameters)

    def new_run(self, record: RoundRecord) -> NS2Run:
        """Everybody at ``start``."""
        return NS2Run(record, self._settings)

    def solve(self, record: RoundRecord) -> NS2FullHistoryRun:
        """The most probable skills given the whole record."""
        return NS2FullHistoryRun(record, self._settings)
