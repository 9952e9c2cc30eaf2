"""A player's history as the plot gets it: some evenings a week, one gap, a rating that wanders."""

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.rating.record import Floats, Ints

DAY = 86400.0
BEGIN = 1_774_692_000.0
"""28 Mar 2026, 10:00 UTC."""


def _moments(rounds: int, days: float, gap_days: float, rng: np.random.Generator) -> Floats:
    evenings = np.sort(rng.integers(0, int(days), max(1, rounds // 3))).astype(np.float64)
    times = np.sort(evenings[rng.integers(0, len(evenings), rounds)] * DAY + rng.random(rounds) * 4 * 3600)
    half = rounds // 2
    if not rounds:
        return times
    times[half:] += max(0.0, times[half - 1] + gap_days * DAY - times[half])
    return BEGIN + times


def history(
    rounds: int = 214,
    *,
    days: float = 110.0,
    gap_days: float = 23.0,
    seed: int = 3,
    doubt: bool = True,
    start: float = 1580.0,
    system: str = "ns2",
    **changes: object,
) -> OwnHistory:
    """As many rounds, all rated; made up, but consistent: a change is what the chance and the outcome make of it."""
    rng = np.random.default_rng(seed)
    started = _moments(rounds, days, gap_days, rng)
    probability = np.clip(rng.normal(0.5, 0.12, rounds), 0.05, 0.95)
    outcome = np.where(rng.random(rounds) < 0.02, 0.5, (rng.random(rounds) < probability).astype(float))
    share = np.where(rng.random(rounds) < 0.7, 1.0, rng.random(rounds))
    after = start + np.cumsum((outcome - probability) * share * 16.0)
    before = np.concatenate(([start], after[:-1]))

    def index(most: int) -> Ints:
        return rng.integers(0, most, rounds).astype(np.int32)

    columns: dict[str, object] = {
        "game": "ns2",
        "system": system,
        "player": "p0",
        "maps": ("ns2_veil", "ns2_biodome", "ns2_summit"),
        "modes": ("ns2",),
        "teams": ("Marines", "Aliens"),
        "servers": (),
        "ids": tuple(f"r{number}" for number in range(rounds)),
        "why": ("",) * rounds,
        "round": np.arange(rounds, dtype=np.int32) * 3,
        "started": started,
        "duration": np.full(rounds, 1200.0),
        "map": index(3),
        "mode": np.zeros(rounds, np.int32),
        "team": index(2),
        "server": np.full(rounds, -1, np.int32),
        "size_mine": np.full(rounds, 6, np.int32),
        "size_other": np.full(rounds, 6, np.int32),
        "share": share,
        "chair": np.zeros(rounds),
        "probability": probability,
        "outcome": outcome,
        "before": before,
        "after": after,
        "sd": 84 + 36 * np.exp(-np.arange(rounds) / 30) if doubt else np.full(rounds, np.nan),
        "approximate": np.zeros(rounds, np.bool_),
    }
    return OwnHistory(**(columns | changes))  # type: ignore[arg-type]
