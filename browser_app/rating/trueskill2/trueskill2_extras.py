"""Parts of TrueSkill 2 that can be switched off."""

from collections.abc import Callable

from browser_app.rating.circumstances import BIAS_EXTRA
from browser_app.rating.model_extra import ModelExtra, ParameterValues, unset
from browser_app.rating.translatable import N_
from browser_app.rating.trueskill2.trueskill2_model import COUNT_COLUMNS

_KIND_TITLES = {
    "kill": N_("Kills"),
    "death": N_("Deaths"),
    "score": N_("Player points"),
    "assist": N_("Assists"),
    "objective": N_("Objectives"),
}


def _count_names(*kinds: str) -> list[str]:
    return [f"{kind}_{part}" for kind in kinds for part in ("wp", "wo", "v", "b")]


def _skill_of_each_mode(values: ParameterValues) -> ParameterValues:
    """Give each mode its own skill, with the variances of base and offset together."""
    if values.get("base_v") is None:
        return {}

    def number(name: str, absent: float = 0.0) -> float:
        value = values.get(name)
        return value if isinstance(value, float) else absent

    weight = number("base_w", 1.0) ** 2
    return {
        **dict.fromkeys(("base_v", "base_gamma2", "base_tau2", "base_w", "mode_m", "mode_v")),
        "m0": number("mode_m", number("m0")),
        "v0": number("mode_v", number("v0")) + weight * number("base_v"),
        "gamma2": number("gamma2") + weight * number("base_gamma2"),
        "tau2": number("tau2") + weight * number("base_tau2"),
    }


def _constant(*names: str) -> Callable[[ParameterValues], ParameterValues]:
    """Return a `switch_off` that sets these variances to 0 if they have a value."""
    return lambda values: {name: 0.0 for name in names if values.get(name) is not None}


TRUESKILL2_EXTRAS = (
    ModelExtra("counts", N_("Player statistics"), unset(*_count_names(*COUNT_COLUMNS)), reads_counts=True),
    *(
        ModelExtra(column, _KIND_TITLES[kind], unset(*_count_names(kind)), reads_counts=True)
        for kind, column in COUNT_COLUMNS.items()
    ),
    ModelExtra("experience", N_("Experience"), unset("experience_offset")),
    ModelExtra("squads", N_("Squads"), unset("squad_offset")),
    ModelExtra("quits", N_("Quits"), unset("quit_m", "quit_v", "quit_pu", "quit_pr")),
    ModelExtra("base", N_("Base skill of all modes"), _skill_of_each_mode),
    BIAS_EXTRA,
    ModelExtra("drift", N_("Drift"), _constant("gamma2", "tau2", "base_gamma2", "base_tau2")),
    ModelExtra("idle_drift", N_("Drift per idle minute"), _constant("tau2", "base_tau2")),
)
