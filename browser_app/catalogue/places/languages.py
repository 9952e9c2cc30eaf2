"""Languages that servers name, as codes.

Servers write them as they like: `English`, `Русский`, `PT-BR`, `RU/EN`, `lang:de`.
"""

import re
from collections.abc import Iterable

MAX_LANGUAGES = 8
"""A text that names more is ignored."""

LANGUAGE_SEPARATOR = ","
"""Between the codes of a server's languages."""

_TAG_PREFIXES = ("lang:", "language:")
_LOCALE = re.compile(r"\b([a-z]{2})[-_][A-Z]{2}\b")
"""Language and country, as in `de-AT`; the country may be another language's code."""
_WORD = re.compile(r"[^\W\d_]+")

_NAMES = """
    ar arabic العربية, bn bengali, gu gujarati, kn kannada, ml malayalam, mr marathi, ta tamil, te telugu,
    ur urdu, az azerbaijani azərbaycan, be belarusian беларуская, bg bulgarian български,
    bs bosnian bosanski, cs czech čeština česky cesky, da danish dansk, de german deutsch,
    el greek ελληνικά, en english english eng,
    es spanish español espanol castellano, et estonian eesti, fa persian فارسی farsi, fi finnish suomi,
    fr french français francais, he hebrew עברית, hi hindi, hr croatian hrvatski, hu hungarian magyar,
    hy armenian հայերեն, id indonesian indonesia, it italian italiano, ja japanese 日本語, ka georgian ქართული,
    kk kazakh қазақша, ko korean 한국어, lt lithuanian lietuvių lietuviu, lv latvian latviešu latviesu,
    mk macedonian македонски, ms malay melayu, nl dutch nederlands, no norwegian norsk nb, pl polish polski,
    pt portuguese português portugues, ro romanian română romana, ru russian русский rus,
    sk slovak slovenčina slovencina, sl slovenian slovenščina slovenscina, sq albanian shqip,
    sr serbian srpski српски, sv swedish svenska,
    th thai ไทย, tl tagalog filipino, tr turkish türkçe turkce, uk ukrainian українська, vi vietnamese việt,
    zh chinese 中文 汉语 漢語
"""
_CODES = {name: entry.split()[0] for entry in _NAMES.split(",") for name in entry.split()}
"""Casefolded names and codes → code of ISO 639-1."""
_OWN_NAMES = {code: names[:2][-1].capitalize() for code, *names in map(str.split, _NAMES.split(","))}
"""By code: the name in the language itself where it is known, which is the third word, else in English."""


def language_name(code: str) -> str:
    """Return what a language calls itself, such as `Deutsch` for `de`."""
    return _OWN_NAMES.get(code, code)


def language_codes(text: str) -> str | None:
    """Return the languages that a text names, such as `en,ru`, in its order.

    None if it names none or too many.
    """
    words = [word.casefold() for word in _WORD.findall(_LOCALE.sub(r"\1", text))]
    only_languages = all(word in _CODES or len(word) == 2 for word in words) and words != ["no"]
    # In a sentence, "it" and "no" are words like others.
    codes = dict.fromkeys(_CODES[word] for word in words if word in _CODES and (only_languages or len(word) > 2))
    return LANGUAGE_SEPARATOR.join(codes) if 0 < len(codes) <= MAX_LANGUAGES else None


def language_codes_of_tags(tags: Iterable[str]) -> str | None:
    """Return the languages that tags such as `lang:de` name; None if there is none."""
    named = (tag.partition(":")[2] for tag in tags if tag.casefold().startswith(_TAG_PREFIXES))
    return language_codes(" ".join(named))
