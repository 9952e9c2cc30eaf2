"""Parameters, scale and K factor of both of XonStat's Elo systems."""

from browser_app.rating.circumstances import BIAS_EXTRA, BIAS_PARAMETERS
from browser_app.rating.model_extra import ModelExtra
from browser_app.rating.rating_parameters import Parameter, ParameterSet
from browser_app.rating.translatable import N_

ELO_SCALE = 400.0
"""Difference in points at which the odds are ten to one."""

ELO_PARAMETERS = (
    Parameter("start", N_("Initial rating"), N_("rating of a newcomer, points"), 100.0, low=-1e5, high=1e5),
    Parameter(
        "k_start", N_("Initial K"), N_("points at stake in the first round"), 200.0, low=0.0, high=1e4, fit="log"
    ),
    Parameter("k_end", N_("Final K"), N_("points at stake after k_games rounds"), 40.0, low=0.0, high=1e4, fit="log"),
    Parameter(
        "k_games", N_("Rounds to final K"), N_("rounds until k_end is reached"), 32.0, low=1.0, high=1e6, fit="log"
    ),
    *BIAS_PARAMETERS,
)

ELO_EXTRAS = (ModelExtra("newcomers", N_("Initial K"), lambda values: {"k_start": values["k_end"]}), BIAS_EXTRA)
"""Parts of the model that can be switched off."""


class EloKFactor:
    """K of XonStat's blog: falls linearly from k_start to k_end over k_games rounds."""

    def __init__(self, parameters: ParameterSet, mode: str) -> None:
        self._start, self._end = parameters.number("k_start", mode), parameters.number("k_end", mode)
        self._games = parameters.number("k_games", mode)
        self._fall = (self._start - self._end) / self._games

    def __call__(self, games: int) -> float:
        """Return the points at stake after a number of rounds."""
        return self._start - self._fall * games if games < self._games else self._end
