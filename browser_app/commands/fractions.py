"""Parts of a record on the command line."""

import argparse
from fractions import Fraction


def fraction(text: str) -> Fraction:
    """0 to 1, exact: 0.29 of a hundred rounds are 29, and not the 28 that binary fractions make of it."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"not a number: {text!r}") from None
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must be 0 to 1: {text}")
    return value
