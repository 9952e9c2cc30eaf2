"""How sure a rating was after each round, of a system that itself only tells how sure it is now."""

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.rating.record import Floats


def doubt_on_the_way(history: OwnHistory, newcomers: float, now: float) -> Floats:
    """An estimate of the standard deviation after each rated round, NaN for the others; displayed units.

    What is known of a skill adds up: a round tells as much as its outcome was open, p (1 − p), times the square of
    the player's share of it. So the precision 1 / sd² is taken to have grown in proportion from a newcomer's to that of
    now. It is right at both ends; between them it leaves out that others' skills became known, too.
    """
    rated = ~np.isnan(history.after)
    chance, share = np.nan_to_num(history.probability, nan=0.5), np.nan_to_num(history.share, nan=1.0)
    told = np.cumsum(np.where(rated, share**2 * chance * (1.0 - chance), 0.0))
    whole = told[-1] if len(told) and told[-1] > 0.0 else 1.0
    first, last = newcomers**-2.0, now**-2.0
    precision = first + max(0.0, last - first) * told / whole if now < newcomers else np.full(len(told), last)
    return np.where(rated, precision**-0.5, np.nan)
