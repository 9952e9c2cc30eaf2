"""Names of demo players and servers, and the demo user's identities."""

import random
from typing import Final

from browser_app.demo.games.game_spec import GameSpec
from browser_app.player.player_identities import STEAM_BASE, Identity, IdentityKind
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

PLAYER_NAMES: Final = (
    "Ada", "Ambrose", "antlerhat", "Bao", "barnacle", "Benno", "blinkfish", "Boris the Snail", "brambleJack", "Burak",
    "Cable Tie", "Cato", "Chidi", "cinder", "Clove", "copperhead", "Crumb", "Dagny", "Dr. Puddle", "drizzle", "Edda",
    "Elm Street Ed", "Emeka", "fernweh", "Fika", "Flint", "gable", "Ghostpepper", "Gudrun", "Halva", "Hanneke",
    "hedgefund hog", "Ines", "Ivo", "jackdaw", "Jelena", "Juniper", "kaapo", "Kestrel", "Kofi", "lanternfish", "Lumi",
    "Mads", "magpie", "Marrow", "Mei", "Midnight Oil", "Mirko", "moss", "Nadia", "nightbus", "Nkechi", "Noor",
    "Oblong", "Okapi", "Ottilie", "otter", "Paulo", "peat", "Pepper Mill", "pfefferminz", "Pip", "quietus", "Quill",
    "Ragnhild", "railway_lad", "Rhubarb", "Rook", "Sanna", "sardine", "Sixpence", "Sleet", "Søren", "soot", "Spanner",
    "tarmac", "Teodor", "thimble", "Thistle", "Tomasz", "tram23", "Umbra", "Ursel", "Valtteri", "Vesna", "Vole",
    "wetherby", "Wicker", "Widget", "Wren", "Xanthe", "yarrow", "Yusuf", "Zajac", "zinnia", "Łukasz", "Ötzi", "Юля",
)  # fmt: skip
BOT_NAMES: Final = (
    "Gorgon", "Sarge", "Visor", "Kyonshi", "Merman", "Penguin", "Shadow", "Lion", "Hellfire", "Toxic", "Gasoline",
    "Necrotic", "Discbot", "Panther", "Resurrection", "Scorcher", "Mystery", "Airhead", "Delusion", "Eureka",
)  # fmt: skip
USER_COUNTRY: Final = "DE"
"""The country that the latencies of the demo servers are measured from."""
CITIES: Final = {
    "Amsterdam": "NL", "Bergen": "NO", "Berlin": "DE", "Bilbao": "ES", "Brno": "CZ", "Chicago": "US", "Dallas": "US",
    "Dublin": "IE", "Frankfurt": "DE", "Gdansk": "PL", "Ghent": "BE", "Helsinki": "FI", "Izmir": "TR", "Lagos": "NG",
    "Leeds": "GB", "Lisbon": "PT", "Lyon": "FR", "Montreal": "CA", "Oslo": "NO", "Porto": "PT", "Prague": "CZ",
    "Quito": "EC", "Riga": "LV", "Rotterdam": "NL", "Santiago": "CL", "Seattle": "US", "Seoul": "KR",
    "Singapore": "SG", "Sofia": "BG", "Sydney": "AU", "Tallinn": "EE", "Tokyo": "JP", "Turin": "IT", "Vienna": "AT",
}  # fmt: skip
"""Cities in names of servers, and their countries."""
_CITY_NAMES = tuple(CITIES)
_NEAR_CITIES = tuple(city for city, country in CITIES.items() if country == USER_COUNTRY)
_ADJECTIVES = (
    "Early", "Late", "Casual", "Serious", "Friendly", "Rusty", "Velvet", "Mild", "Noisy", "Patient", "Second", "Public",
    "Vintage", "Midweek", "Rainy", "Unhurried", "Classic", "Wandering", "Spare", "Honest", "Night Shift", "Weekend",
)  # fmt: skip
_COLOUR_CODES: Final = {
    "quake3": ("^1", "^2", "^3", "^4", "^5", "^6"),
    "warsow": ("^1", "^2", "^3", "^5", "^8"),
    "xonotic": ("^1", "^2", "^3", "^5", "^6", "^xF80", "^x8CF", "^x6F9", "^xfc0"),
    "daemon": ("^1", "^3", "^5", "^xF80", "^#FF8800", "^#66ccff"),
    "minecraft": ("\xa76", "\xa7a", "\xa7b", "\xa7c\xa7l", "\xa7e"),
    "braces": ("{FF8C00}", "{00BFFF}", "{7FFF00}", "{ffd700}"),
    "hash": ("#FF8C00", "#00BFFF", "#7FFF00", "#ffd700"),
    "cube2": ("\f0", "\f1", "\f2", "\f3", "\f6"),
    "armagetron": ("0xff8800", "0x66ccff", "0x00ff00"),
}
_WHITE: Final = {
    "minecraft": "\xa7r",
    "braces": "{FFFFFF}",
    "hash": "#FFFFFF",
    "cube2": "\f7",
    "armagetron": "0xRESETT",
}
"""Code that ends a colour, by dialect; the others have the same."""
_QUAKE_WHITE: Final = "^7"


def make_server_name(game: GameSpec, number: int, rng: random.Random) -> str:
    """Return a plain name for the game's server `number`: a listed or a composed one.

    Composed names repeat now and then, as real ones do.
    """
    if number < len(game.server_names):
        return game.server_names[number]
    adjective, noun, city = (rng.choice(words) for words in (_ADJECTIVES, game.server_name_nouns, _CITY_NAMES))
    if QUERY_PROTOCOLS[game.protocol].is_stream:  # connecting, which may be its ping, takes no time here
        city = _NEAR_CITIES[number % len(_NEAR_CITIES)]
    name = f"{adjective} {noun} {city}"
    return f"{name} #{rng.randrange(2, 5)}" if rng.random() < 0.2 else name


def pick_player_name(taken: set[str], rng: random.Random) -> str:
    """Return a plain player name that is not in `taken`."""
    name = rng.choice(PLAYER_NAMES)
    while name in taken:
        name = f"{rng.choice(PLAYER_NAMES)}{rng.randrange(2, 100)}"
    return name


def add_colour_codes(text: str, dialect: str, rng: random.Random, likelihood: float) -> str:
    """Return `text`, with this probability in the game's colours, one or one per word."""
    codes = _COLOUR_CODES.get(dialect)
    if codes is None or rng.random() >= likelihood:
        return text
    white = _WHITE.get(dialect, _QUAKE_WHITE)
    if rng.random() < 0.5:
        return f"{rng.choice(codes)}{text}{white}"
    return " ".join(f"{rng.choice(codes)}{word}" for word in text.split(" ")) + white


USER_NAME: Final = "kittiwake"
"""The demo user's player name."""
FRIEND_NAMES: Final = ("moth", "Sunniva", "late_bus")
"""The demo user's friends, whom no other demo player is named like."""
USER_STEAM_ACCOUNTS: Final = (4_210_662_118, 4_288_035_407)
"""The demo user's Steam accounts, the current one first. Steam has not assigned numbers as high as these."""
USER_XONOTIC_FINGERPRINT: Final = "DemoDemoDemoDemoDemoDemoDemoDemoDemoDemoDem="
"""Fingerprint of the demo user's Xonotic key; no real key has it."""
USER_IDENTITIES: Final = (
    *(Identity("ns2", IdentityKind.STEAM, str(STEAM_BASE + account)) for account in USER_STEAM_ACCOUNTS),
    Identity("xonotic", IdentityKind.XONOTIC, USER_XONOTIC_FINGERPRINT),
)


def make_player_names(count: int, rng: random.Random) -> list[str]:
    """Return this many different player names, first those that demo servers use."""
    names = list(PLAYER_NAMES)
    rng.shuffle(names)
    taken = {USER_NAME, *names}
    while len(names) < count:
        names.append(pick_player_name(taken, rng))
        taken.add(names[-1])
    return names[:count]
