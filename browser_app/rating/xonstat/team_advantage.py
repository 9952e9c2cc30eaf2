"""Advantage of the first-named of two teams, for systems that compare players."""

from browser_app.rating.circumstances import LearnedAdvantage, encode_circumstances, learned_bias_variance
from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction


class TeamAdvantage:
    """F in log-odds, learned online; added to every pair of players across two teams."""

    def __init__(self, record: RoundRecord, effects: LearnedAdvantage) -> None:
        self._record, self._effects = record, effects
        self._circumstance = encode_circumstances(record)

    @classmethod
    def create(cls, record: RoundRecord, parameters: ParameterSet) -> "TeamAdvantage | None":
        """Return an advantage before any round, None if circumstances are ignored."""
        variance = learned_bias_variance(parameters)
        return None if variance is None else cls(record, LearnedAdvantage(record, variance))

    def log_odds(self, k: int) -> float:
        """Return F of round k, 0 for more than two teams."""
        return self._effects.log_odds(int(self._circumstance[k])) if self._record.team_count[k] == 2 else 0.0

    def learn(self, k: int, prediction: Prediction) -> None:
        """Learn from round k and its prediction, if it has two teams."""
        if self._record.team_count[k] == 2:
            first, second = self._record.ranks(k) or (1, 1)
            outcome = 0.5 if first == second else float(first < second)
            self._effects.learn(int(self._circumstance[k]), outcome, prediction.chance(0, 1))

    def transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "TeamAdvantage":
        """Return the advantage in another record."""
        return TeamAdvantage(record, self._effects.transfer_to(record, mapping))
