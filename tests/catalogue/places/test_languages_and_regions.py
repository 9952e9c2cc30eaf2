"""Languages as servers write them, and regions of countries."""

import numpy as np
import pytest
from catalogue_helpers import GAMES

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.places.languages import language_codes, language_codes_of_tags, language_name
from browser_app.catalogue.places.regions import REGION_NAMES, region_of_country
from browser_app.catalogue.server_info import QueryTarget
from browser_app.catalogue.suspicion import SuspicionMark
from browser_app.catalogue.user_lists import UserLists
from browser_app.protocols.address import Address

BRAZILIAN = QueryTarget(Address("200.160.2.3", 27016), "a2s", "ns2")  # an address of Brazil's registry


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("English", "en"),
        ("Русский", "ru"),
        ("PT-BR", "pt"),
        ("es-AR", "es"),
        ("RU/EN", "ru,en"),
        ("Español - Latino", "es"),
        ("Bahasa Indonesia", "id"),
        ("-", None),
        ("no", None),
        ("speak it here", None),
        ("Klingon", None),
        ("ru, en,ar", "ru,en,ar"),
        ("en de fr es it pt nl pl sv", None),
    ],
)
def test_languages_are_recognised(text: str, codes: str | None) -> None:
    assert language_codes(text) == codes


def test_languages_have_their_own_names() -> None:
    assert [language_name(code) for code in ("en", "de", "ru", "ta", "xx")] == [
        "English",
        "Deutsch",
        "Русский",
        "Tamil",
        "xx",
    ]


def test_tags_name_languages() -> None:
    assert language_codes_of_tags(["pve", "lang:de", "Language:French"]) == "de,fr"
    assert language_codes_of_tags(["german", "loc:de"]) is None


def test_regions_follow_from_countries() -> None:
    countries = ("DE", "US", "BR", "SG", "ZA", "AU", "AQ", "")
    assert [region_of_country(each) for each in countries] == [*REGION_NAMES, ""]


def test_corrected_country_counts_everywhere() -> None:
    catalogue = Catalogue(GAMES)
    catalogue.own_country = "DE"
    (row,) = catalogue.rows.add([BRAZILIAN]).tolist()
    catalogue.ping_ms[row] = 20.0

    def found() -> tuple[str, str, bool, bool, bool]:
        catalogue.rescore()
        in_europe = bool(parse_filter("region:europe country:de").matching_rows(catalogue)[row])
        is_suspicious = bool(catalogue.suspicions[row] & SuspicionMark.PING_TOO_LOW)
        return (
            catalogue.country[row],
            catalogue.region[row],
            in_europe,
            is_suspicious,
            catalogue.rows.is_country_corrected(row),
        )

    by_address = ("BR", "SA", False, True, False)
    assert found() == by_address
    catalogue.set_user_lists(UserLists(countries={BRAZILIAN.address: "DE"}))
    assert found() == ("DE", "EU", True, False, True)
    catalogue.rows.drop(np.array([row]))
    assert catalogue.rows.add([BRAZILIAN]).tolist() == [row]
    assert catalogue.country[row] == "DE"
    catalogue.ping_ms[row] = 20.0
    catalogue.set_user_lists(UserLists())
    assert found() == by_address
