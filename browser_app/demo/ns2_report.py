"""What a Natural Selection 2 server tells of itself in keywords and rules (build 344, and the older named tags)."""

from browser_app.demo.population import Population


def keywords(state: Population) -> str:
    """The tags: build, mode, modded, an unknown number, performance now and historical, its quality, named ones."""
    modded = "M" if state.number % 3 else ""
    skill = state.mean_skill
    named = [
        f"P_S{int(skill or 0)}",
        *([f"R_S{state.reserved}"] if state.reserved else []),
        *(["rookie_only"] if state.rookie_only else []),
        *(["shine"] if state.number % 2 else []),
        f"tickrate_{_tickrate(state)}",
    ]
    header = (
        state.sheet.version, state.played.reported, modded, "149", str(state.current_performance),
        str(state.performance), str(state.quality),
    )  # fmt: skip
    return "|".join((*header, *named))


def rules(state: Population) -> dict[str, str]:
    """The rules; the average skill is `nan` while nobody is on."""
    skill = state.mean_skill
    return {
        "AverageSkill": "nan" if skill is None else f"{skill:.4f}",
        "tickrate": str(_tickrate(state)),
        "ent_count": f"{900 + 37 * len(state.people) + state.number % 400:,}",
        "mods[1]": "706d242 3fb90249 1e62a2ce",
        "mods[2]": "d41e0b6a",
        "sv_dyndns": "",
    }


def _tickrate(state: Population) -> int:
    return 30 if state.current_performance > 0 else max(8, 30 + state.current_performance // 4)
