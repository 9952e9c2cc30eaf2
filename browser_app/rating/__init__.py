"""Rating systems: rounds in, ratings and predictions out. Needs only numpy."""

from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.team_balance import BalancePlayer, balance_teams
from browser_app.rating.rating_errors import InvalidRoundError, ParameterError
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import Rating, RatingRun, RatingSystem
from browser_app.rating.record.record_builder import RecordBuilder, build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

__all__ = [
    "RATING_SYSTEMS",
    "BalancePlayer",
    "InvalidRoundError",
    "ParameterError",
    "Player",
    "Prediction",
    "Rating",
    "RatingRun",
    "RatingSystem",
    "RecordBuilder",
    "Round",
    "RoundRecord",
    "Stint",
    "backtest",
    "balance_teams",
    "build_record",
    "create_rating_system",
    "resolve_parameters",
]
