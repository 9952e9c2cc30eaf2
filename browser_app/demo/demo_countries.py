"""Countries of the demo servers, none farther away than its latency allows."""

import re
from typing import Final

from browser_app.catalogue.places.geography import min_round_trip_ms
from browser_app.demo.demo_names import CITIES, USER_COUNTRY

_NEAR: Final = ("DE", "NL", "FR", "GB", "PL", "AT", "SE", "CZ", "FI", "DK", "ES", "IT")
_FAR: Final = ("US", "CA", "US", "BR", "US", "FI", "ES", "SG", "JP")
_FAR_LATENCY_MS = 80.0
"""Servers whose names contain no city are overseas from this latency on."""


def place_server(name: str, number: int, latency_ms: float, max_latency_ms: float) -> tuple[str, float]:
    """Return a server's country and its latency, at least what light needs.

    The city in its name decides, unless every latency up to `max_latency_ms` is too low for it; else latency and
    number do.
    """
    named = next((CITIES[word] for word in re.findall(r"\w+", name) if word in CITIES), None)
    if named is not None and (least := min_round_trip_ms(USER_COUNTRY, named)) <= max_latency_ms:
        return named, max(latency_ms, least)
    countries = _FAR if latency_ms >= _FAR_LATENCY_MS else _NEAR
    reachable = [each for each in countries if min_round_trip_ms(USER_COUNTRY, each) <= latency_ms]
    return (reachable[number % len(reachable)] if reachable else USER_COUNTRY), latency_ms
