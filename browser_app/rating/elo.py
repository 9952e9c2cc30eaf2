"""What both Elos of XonStat share: the scale, the start, and the stake that falls with experience."""

from browser_app.rating.parameters import Parameter, ParameterSet

SCALE = 400.0
"""Points that make the odds ten to one."""

PARAMETERS = (
    Parameter("start", "rating of a newcomer, points", 100.0, low=-1e5, high=1e5),
    Parameter("k_start", "points at stake in the first round", 200.0, low=0.0, high=1e4, fit="log"),
    Parameter("k_end", "points at stake after k_games rounds", 40.0, low=0.0, high=1e4, fit="log"),
    Parameter("k_games", "rounds until k_end is reached", 32.0, low=1.0, high=1e6, fit="log"),
)


class Stake:
    """K of XonStat's blog (July 2012): falls linearly from k_start to k_end over k_games rounds, then stays."""

    def __init__(self, parameters: ParameterSet, mode: str) -> None:
        self._start, self._end = parameters.number("k_start", mode), parameters.number("k_end", mode)
        self._games = parameters.number("k_games", mode)
        self._fall = (self._start - self._end) / self._games

    def __call__(self, games: int) -> float:
        """Points at stake for somebody with so many rounds behind him."""
        return self._start - self._fall * games if games < self._games else self._end
