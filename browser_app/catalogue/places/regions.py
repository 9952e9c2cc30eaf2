"""Regions of the world by country."""

from collections.abc import Mapping

from browser_app.language import N_

REGION_NAMES: Mapping[str, str] = {
    "EU": N_("Europe"),
    "NA": N_("North America"),
    "SA": N_("South America"),
    "AS": N_("Asia"),
    "AF": N_("Africa"),
    "OC": N_("Oceania"),
    "AN": N_("Antarctica"),
}
"""Code of a region → its name in English. They are the continents, as GeoNames assigns countries to them."""

_COUNTRIES: Mapping[str, str] = {
    "EU": """AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME
        MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK""",
    "NA": """AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC
        TT US VC VG VI""",
    "SA": "AR BO BR CL CO EC FK GF GY PE PY SR UY VE",
    "AS": """AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP
        OM PH PK PS QA SA SG SY TH TJ TM TR TW UZ VN YE""",
    "AF": """AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA
        NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW""",
    "OC": "AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS",
    "AN": "AQ BV GS HM TF",
}
_REGION_BY_COUNTRY = {country: region for region, countries in _COUNTRIES.items() for country in countries.split()}


def region_of_country(country: str) -> str:
    """Return the region of a two-letter country code; empty for other texts."""
    return _REGION_BY_COUNTRY.get(country, "")


def is_country(code: str) -> bool:
    """Return whether a text is the code of a country, in capitals."""
    return code in _REGION_BY_COUNTRY
