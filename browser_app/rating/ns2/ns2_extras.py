"""Parts of the NS2 rating that can be switched off."""

from browser_app.rating.circumstances import BIAS_EXTRA
from browser_app.rating.model_extra import ModelExtra, set_to
from browser_app.rating.translatable import N_

_LINEAR_S = 1e6
"""With so long a median round, the first minutes weigh no more than the last."""

NS2_EXTRAS = (
    ModelExtra("adagrad", N_("Adaptive rate a"), set_to(a=0.0)),
    ModelExtra("per_team", N_("Skill per team"), set_to(per_team="no")),
    ModelExtra("chair", N_("Commander skill"), set_to(chair="no")),
    ModelExtra("anchors", N_("Skill told by the game"), set_to(anchors="no")),
    BIAS_EXTRA,
    ModelExtra("time_weights", N_("Time weights"), set_to(median_round=_LINEAR_S, chair_round=_LINEAR_S)),
)
