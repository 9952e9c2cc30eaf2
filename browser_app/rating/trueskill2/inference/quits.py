"""Quits as evidence on performances, eqs. (12)-(13)."""

from collections.abc import Sequence

import numpy as np

from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.inference.factors import Fact, Step
from browser_app.rating.trueskill2.model import QuitModel


def read_quits(
    model: QuitModel, quits: Sequence[bool | None], against: Floats, *, finishers: bool = False
) -> list[Fact]:
    """A factor for everyone who quit: pu + (1 − pu)·pr·Φ((m − d)/√v), d = perf − perf^o.

    Online, the factor exists only for who quit (the paper's unnormalised form): nobody is rewarded for finishing.
    ``finishers`` adds the complement for who finished (the normalised form), by which the parameters are learned.

    Args:
        model: of quits.
        quits: whether each player quit; None: no evidence.
        against: the opponents' matrix O; who faced nobody tells nothing.
        finishers: whether finishing is evidence too.
    """
    related = (1.0 - model.pu) * model.pr
    left = Step(-model.m, model.v, model.pu, related)
    stayed = Step(model.m, model.v, (1.0 - model.pu) * (1.0 - model.pr), related)
    if related == 0.0:
        return []
    facts = []
    for i, quit_ in enumerate(quits):
        if not (quit_ or (finishers and quit_ is False)) or not against[i].any():
            continue
        ahead = np.negative(against[i])
        ahead[i] += 1.0
        facts.append(Fact(-ahead, left) if quit_ else Fact(ahead, stayed))
    return facts
