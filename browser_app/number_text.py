"""Formats of numbers in texts that users read.

Numbers of four digits and more are grouped. What users type or programs read is not: filters, input fields, JSON, CSV
and plotted values on the clipboard.
"""

import math

from browser_app.language import pgettext

MINUS = "\u2212"
GROUP_SEPARATOR = "\u202f"
"""The narrow no-break space: Qt would break lines at a thin space, U+2009."""
UNIT_SEPARATOR = "\u00a0"
"""The no-break space between a number and its unit or sign, where a line may wrap."""


def localised_number(text: str) -> str:
    """Return a number with a decimal point with the language's separator."""
    return text.replace(".", pgettext("decimal separator", "."))


def integer_text(value: float) -> str:
    """Return a rounded number, such as `12 400` or `−12`; `–` for NaN and infinity."""
    return f"{round(value):,}".replace(",", GROUP_SEPARATOR).replace("-", MINUS) if math.isfinite(value) else "–"


def decimal_text(value: float, decimals: int | None = None) -> str:
    """Return `12 400.50` with the language's decimal separator.

    None: as many decimals as six digits need.
    """
    text = f"{value:,g}" if decimals is None else f"{value:,.{decimals}f}"
    return localised_number(text.replace(",", GROUP_SEPARATOR))
