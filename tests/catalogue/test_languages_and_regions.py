"""Languages as servers write them, and regions of countries."""

import pytest

from browser_app.catalogue.languages import language_codes, language_codes_of_tags
from browser_app.catalogue.regions import REGION_NAMES, region_of_country


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
        ("en de fr es it", None),
    ],
)
def test_languages_are_recognised(text: str, codes: str | None) -> None:
    assert language_codes(text) == codes


def test_tags_name_languages() -> None:
    assert language_codes_of_tags(["pve", "lang:de", "Language:French"]) == "de,fr"
    assert language_codes_of_tags(["german", "loc:de"]) is None


def test_regions_follow_from_countries() -> None:
    countries = ("DE", "US", "BR", "SG", "ZA", "AU", "AQ", "")
    assert [region_of_country(each) for each in countries] == [*REGION_NAMES, ""]
