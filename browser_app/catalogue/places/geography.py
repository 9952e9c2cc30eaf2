"""Countries of addresses and the shortest distance between two countries."""

from collections.abc import Sequence
from functools import cache
from math import acos, cos, radians, sin


def countries_of_hosts(hosts: Sequence[str]) -> list[str]:
    """Return two-letter country codes.

    Empty for private, reserved and unassigned addresses and for host names.
    """
    from iptocc import country_code

    return [code or "" for code in country_code(hosts)]


KM_PER_MS = 100.0
"""Light in glass covers 200 km per millisecond, so 100 km there and back."""
_EARTH_KM = 6371.0
_DEFAULT_RADIUS_KM = 500  # distance from a country's centre to its border, unless the table has another

# Centre of a country (degrees north and east) and, for large ones, the distance from there to its border (km).
_COUNTRY_CENTRES: dict[str, tuple[float, ...]] = {
    "AE": (24, 54), "AF": (34, 66, 800), "AL": (41, 20), "AM": (40, 45), "AO": (-12, 18, 900), "AR": (-36, -64, 2000),
    "AT": (47.5, 14), "AU": (-25, 134, 2300), "AZ": (40.5, 47.5), "BA": (44, 18), "BD": (24, 90), "BE": (51, 4),
    "BG": (43, 25), "BH": (26, 50.5), "BO": (-17, -65, 900), "BR": (-10, -53, 2500), "BY": (53, 28),
    "CA": (58, -98, 3000), "CH": (47, 8), "CL": (-33, -71, 2500), "CN": (35, 103, 2800), "CO": (4, -73, 900),
    "CR": (10, -84), "CU": (22, -79), "CY": (35, 33), "CZ": (50, 15), "DE": (51, 10), "DK": (56, 10),
    "DO": (19, -70.5), "DZ": (28, 3, 1200), "EC": (-1, -78.5, 1500), "EE": (59, 26), "EG": (27, 30, 800),
    "ES": (40, -4, 2200), "ET": (9, 40, 900), "FI": (64, 26, 700), "FR": (46.5, 2.5, 700), "GB": (54, -2, 700),
    "GE": (42, 43.5), "GH": (8, -1), "GR": (39, 22, 600), "GT": (15.5, -90), "HK": (22.3, 114.2), "HN": (15, -86.5),
    "HR": (45, 16), "HU": (47, 19.5), "ID": (-2, 118, 2700), "IE": (53, -8), "IL": (31.5, 35), "IN": (22, 79, 1700),
    "IQ": (33, 44, 600), "IR": (32, 53, 1100), "IS": (65, -18), "IT": (42.5, 12.5, 700), "JM": (18, -77),
    "JO": (31, 36), "JP": (36, 138, 1600), "KE": (0, 38, 600), "KG": (41, 75), "KH": (12.5, 105), "KR": (36.5, 128),
    "KW": (29.5, 47.5), "KZ": (48, 67, 1600), "LA": (18, 105), "LB": (34, 36), "LK": (7, 81), "LT": (55, 24),
    "LU": (49.8, 6), "LV": (57, 25), "LY": (27, 18, 1000), "MA": (32, -6, 1000), "MD": (47, 28.5), "ME": (42.7, 19.3),
    "MK": (41.6, 21.7), "MM": (21, 96, 1000), "MN": (46, 104, 1300), "MT": (36, 14.4), "MX": (23.5, -102, 1700),
    "MY": (4, 109, 1200), "MZ": (-18, 35, 1100), "NA": (-22, 17, 900), "NG": (9, 8, 800), "NL": (52, 5.5),
    "NO": (64, 12, 1100), "NP": (28, 84), "NZ": (-41, 173, 1000), "OM": (21, 56, 600), "PA": (8.5, -80),
    "PE": (-9.5, -75.5, 1200), "PH": (12, 122, 1000), "PK": (30, 69, 1000), "PL": (52, 19), "PR": (18.2, -66.4),
    "PT": (39.5, -8, 1700), "PY": (-23, -58), "QA": (25.3, 51.2), "RO": (46, 25), "RS": (44, 21),
    "RU": (60, 90, 4500), "SA": (24, 45, 1200), "SE": (62, 15, 900), "SG": (1.3, 103.8), "SI": (46, 15),
    "SK": (48.7, 19.5), "SN": (14.5, -14.5), "SV": (13.8, -88.9), "TH": (15, 101, 900), "TN": (34, 9),
    "TR": (39, 35, 900), "TW": (23.7, 121), "TZ": (-6.5, 35, 800), "UA": (49, 31, 800), "UG": (1.3, 32.4),
    "US": (39, -98, 3000), "UY": (-33, -56), "UZ": (41.5, 64.5, 800), "VE": (7, -66, 900), "VN": (16, 107, 1000),
    "ZA": (-29, 25, 1000), "ZM": (-13.5, 28, 800), "ZW": (-19, 30),
}  # fmt: skip


@cache
def min_distance_km(a: str, b: str) -> float:
    """Return the least distance between any places of two countries, km.

    They are two-letter codes; 0 if one is unknown.
    """
    here, there = _COUNTRY_CENTRES.get(a), _COUNTRY_CENTRES.get(b)
    if here is None or there is None:
        return 0.0
    reach = sum(place[2] if len(place) > 2 else _DEFAULT_RADIUS_KM for place in (here, there))
    return max(0.0, _great_circle_km(here, there) - reach)


def min_round_trip_ms(a: str, b: str) -> float:
    """Return the shortest possible round trip between two countries, ms.

    The signal travels at the speed of light. The result is 0 if one country is unknown.
    """
    return min_distance_km(a, b) / KM_PER_MS


def _great_circle_km(here: tuple[float, ...], there: tuple[float, ...]) -> float:
    north, south = radians(here[0]), radians(there[0])
    across = sin(north) * sin(south) + cos(north) * cos(south) * cos(radians(here[1] - there[1]))
    return _EARTH_KM * acos(max(-1.0, min(1.0, across)))
