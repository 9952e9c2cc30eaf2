"""How the skill pages write numbers: thin spaces between thousands, a real minus, unknown as a dash."""

import math

from browser_app.ui.texts import MINUS, THIN_SPACE, UNKNOWN

_FINE = frozenset(("trueskill", "trueskill2"))
"""Systems whose ratings differ by parts of one."""


def decimals_of(system: str) -> int:
    """So many decimals tell a system's ratings; changes are told with one more."""
    return 2 if system in _FINE else 0


def points_words(value: float | None, decimals: int = 0) -> str:
    """`1 640`, `−3.2`; `–` for None and NaN."""
    if value is None or math.isnan(value):
        return UNKNOWN
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN_SPACE)
    return f"{MINUS}{text}" if value < 0 and _shows(value, decimals) else text


def change_words(value: float | None, decimals: int = 0) -> str:
    """`+8.6`, `−1 204`; `0` where nothing is left after rounding, `–` for None and NaN."""
    if value is None or math.isnan(value):
        return UNKNOWN
    text = points_words(value, decimals)
    return f"+{text}" if value > 0 and _shows(value, decimals) else text


def chance_words(share: float | None, decimals: int = 0) -> str:
    """`38 %` of a share in 0…1; `–` for None and NaN."""
    if share is None or math.isnan(share):
        return UNKNOWN
    return f"{share * 100:.{decimals}f} %"


def _shows(value: float, decimals: int) -> bool:
    """Whether anything but zeros is left after rounding."""
    return float(f"{value:.{decimals}f}") != 0.0
