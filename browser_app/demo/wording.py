"""Names of people and servers, in the colours of their games."""

import random
from typing import Final

from browser_app.demo.sheet import GameSheet

NICKNAMES: Final = (
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
_PLACES = (
    "Amsterdam", "Bergen", "Berlin", "Bilbao", "Brno", "Chicago", "Dallas", "Dublin", "Frankfurt", "Gdansk", "Ghent",
    "Helsinki", "Izmir", "Lagos", "Leeds", "Lisbon", "Lyon", "Montreal", "Oslo", "Porto", "Prague", "Quito", "Riga",
    "Rotterdam", "Santiago", "Seattle", "Seoul", "Singapore", "Sofia", "Sydney", "Tallinn", "Tokyo", "Turin", "Vienna",
)  # fmt: skip
_QUALITIES = (
    "Early", "Late", "Casual", "Serious", "Friendly", "Rusty", "Velvet", "Mild", "Noisy", "Patient", "Second", "Public",
    "Vintage", "Midweek", "Rainy", "Unhurried", "Classic", "Wandering", "Spare", "Honest", "Night Shift", "Weekend",
)  # fmt: skip
_CODES: Final = {
    "quake3": ("^1", "^2", "^3", "^4", "^5", "^6"),
    "warsow": ("^1", "^2", "^3", "^5", "^8"),
    "xonotic": ("^1", "^2", "^3", "^5", "^6", "^xF80", "^x8CF", "^x6F9", "^xfc0"),
    "daemon": ("^1", "^3", "^5", "^xF80", "^#FF8800", "^#66ccff"),
}


def server_name(sheet: GameSheet, number: int, rng: random.Random) -> str:
    """A plain name for the game's server `number`: first those of its sheet, then composed ones.

    Composed names repeat now and then, as real ones do.
    """
    if number < len(sheet.names):
        return sheet.names[number]
    name = f"{rng.choice(_QUALITIES)} {rng.choice(sheet.nouns)} {rng.choice(_PLACES)}"
    return f"{name} #{rng.randrange(2, 5)}" if rng.random() < 0.2 else name


def nickname(taken: set[str], rng: random.Random) -> str:
    """A person's plain name that is not in `taken`."""
    name = rng.choice(NICKNAMES)
    while name in taken:
        name = f"{rng.choice(NICKNAMES)}{rng.randrange(2, 100)}"
    return name


def coloured(text: str, dialect: str, rng: random.Random, likelihood: float) -> str:
    """`text`, with this likelihood in colours if the dialect has any: one over all, or another for each word."""
    codes = _CODES.get(dialect)
    if codes is None or rng.random() >= likelihood:
        return text
    if rng.random() < 0.5:
        return f"{rng.choice(codes)}{text}^7"
    return " ".join(f"{rng.choice(codes)}{word}" for word in text.split(" ")) + "^7"
