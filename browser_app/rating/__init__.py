"""Rating systems: rounds in, ratings and predictions out. Needs only numpy.

>>> day = 86400.0
>>> def duel(number, winner, loser):
...     players = [Player(name, [Stint(name, 0.0, 600.0)]) for name in (winner, loser)]
...     return Round(f"duel {number}", (winner, loser), players, number * day, 600.0, ranks=(1, 2))
>>> record = build_record([duel(1, "ann", "bob"), duel(2, "ann", "cem"), duel(3, "bob", "cem")])
>>> run = create_rating_system("trueskill2", "classic").new_run(record)
>>> for k in range(len(record)):
...     chance = run.forecast(k).probability  # before learning from the round
...     run.update(k)
>>> round(chance, 2)
0.47
>>> {name: round(fields["mean"], 1) for name, fields in run.rated_players().items()}
{'ann': 32.0, 'bob': 24.5, 'cem': 17.6}

A `Round` is one played game, a `RoundRecord` holds all of them as columns. `RATING_SYSTEMS` has every system by name.
A system is a model with its parameters; its run over a record predicts each round and then learns from it, forward in
time. `backtest` compares the forecasts of systems, `balance_teams` makes two fair teams, `RatingRun.explain` splits
the rating change of one round into the terms of the model.
"""

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
