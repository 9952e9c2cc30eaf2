"""The two systems: TrueSkill 2, and TrueSkill as the same engine without its extras."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from browser_app.rating.parameters import Parameter, ParameterSet
from browser_app.rating.progress import Progress
from browser_app.rating.record import Record
from browser_app.rating.system import RatingSystem
from browser_app.rating.trueskill2.declared import CORE, EXTRAS, PRESETS, check
from browser_app.rating.trueskill2.run import TrueSkillRun
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.smoothed import SmoothedRun


class TrueSkill2(RatingSystem):
    """``trueskill2``: every extra is off until it is given a value."""

    name: ClassVar[str] = "trueskill2"
    declared: ClassVar[Sequence[Parameter]] = (*CORE, *EXTRAS)
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = PRESETS
    over_modes: ClassVar[bool] = True

    def __init__(self, parameters: ParameterSet) -> None:
        super().__init__(parameters)
        check(parameters)

    def start(self, record: Record) -> TrueSkillRun:
        """Everybody as a newcomer."""
        return TrueSkillRun(Setting(record, self.parameters), over_modes=self.over_modes)

    def solve(self, record: Record) -> SmoothedRun:
        """Batch smoothing of the whole record."""
        return SmoothedRun(Setting(record, self.parameters), over_modes=self.over_modes)

    def fit(self, record: Record, progress: Progress) -> ParameterSet:
        """The parameters of least log loss, with the extras that the record has something to say of."""
        from browser_app.rating.trueskill2.learning.estimate import estimate

        return estimate(self.declared, self.parameters, record, progress)


class TrueSkill(TrueSkill2):
    """``trueskill``: skill per mode, play time, draws and many teams, nothing else (Herbrich, Minka, Graepel 2006).

    γ² is added after a match, not before it; the default preset is the same as that of ``trueskill2``.
    """

    name: ClassVar[str] = "trueskill"
    declared: ClassVar[Sequence[Parameter]] = CORE
    over_modes: ClassVar[bool] = False
