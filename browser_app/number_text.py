"""Formats of numbers in texts that users read."""

from browser_app.language import pgettext

MINUS = "\u2212"
THIN_SPACE = "\u2009"


def localised_number(text: str) -> str:
    """Return a number with a decimal point with the language's separator."""
    return text.replace(".", pgettext("decimal separator", "."))


def decimal_text(value: float, decimals: int | None = None) -> str:
    """Return `12 400.50` with the language's decimal separator.

    None: as many decimals as six digits need.
    """
    text = f"{value:g}" if decimals is None else f"{value:,.{decimals}f}"
    return localised_number(text.replace(",", THIN_SPACE))
