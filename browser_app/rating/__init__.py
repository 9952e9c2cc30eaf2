"""The core rating module: rounds in, ratings and predictions out. Needs only numpy; does no input or output.

>>> day = 86400.0
>>> def duel(number, winner, loser):
...     players = [Player(name, [Stay(name, 0.0, 600.0)]) for name in (winner, loser)]
...     return Match(f"duel {number}", (winner, loser), players, number * day, 600.0, ranks=(1, 2))
>>> record = record_of([duel(1, "ann", "bob"), duel(2, "ann", "cem"), duel(3, "bob", "cem")])
>>> run = rating_system("trueskill2", "classic").start(record)
>>> for k in range(len(record)):
...     chance = run.forecast(k).probability  # said before the round is looked at
...     run.update(k)
>>> round(chance, 2)
0.47
>>> {name: round(fields["mean"], 1) for name, fields in run.players().items()}
{'ann': 32.0, 'bob': 24.5, 'cem': 17.6}

A `Match` is one round, a `Record` all of them as columns. `SYSTEMS` has every system by name; a system is its model
with its parameters, and a run of it is its state over one record: it predicts, then it learns, forward in time.
`backtest` scores systems side by side, `balance` makes two fair teams. `RatingRun.explain` takes a round's change apart
in the model's own terms, `what_if` tells what a round to come would do.
"""

from browser_app.rating.balance import Member, balance
from browser_app.rating.errors import MatchError, ParameterError
from browser_app.rating.evaluate import backtest
from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.parameters import parameter_set
from browser_app.rating.prediction import Prediction
from browser_app.rating.record import Record
from browser_app.rating.record_builder import RecordBuilder, record_of
from browser_app.rating.system import Rating, RatingRun, RatingSystem
from browser_app.rating.systems import SYSTEMS, rating_system

__all__ = [
    "SYSTEMS",
    "Match",
    "MatchError",
    "Member",
    "ParameterError",
    "Player",
    "Prediction",
    "Rating",
    "RatingRun",
    "RatingSystem",
    "Record",
    "RecordBuilder",
    "Stay",
    "backtest",
    "balance",
    "parameter_set",
    "rating_system",
    "record_of",
]
