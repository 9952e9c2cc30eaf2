"""Valve's server queries (A2S): what info, players and rules of Source, GoldSource and The Ship servers say.

These classes are not frozen for speed: thousands are made in one scan, and freezing makes that eight times slower.
"""

from dataclasses import dataclass


@dataclass(slots=True)
class TheShip:
    """What only The Ship (app 2400) tells in its info reply."""

    mode: int
    witnesses: int
    duration: int


@dataclass(slots=True)
class GoldSourceMod:
    """The mod that a GoldSource server says it runs."""

    link: str
    download: str
    version: int
    size: int
    """Bytes."""
    multiplayer_only: bool
    own_dll: bool


@dataclass(slots=True)
class A2SInfo:
    """An info reply, `I` (Source) or `m` (GoldSource). Strings are UTF-8 decoded with replacement, else untouched."""

    protocol: int
    name: str
    map: str
    folder: str
    game: str
    appid: int | None
    """From the 64-bit game id where there is one, else the 16-bit field; None in a GoldSource reply or when 0."""
    players: int
    """Bots included."""
    max_players: int
    bots: int
    """0 where a GoldSource relay, which can have none, leaves the field out."""
    server_type: str
    """The letter as sent: usually `d` dedicated, `l` listen, `p` relay; some servers use capitals or others."""
    environment: str
    """The letter as sent: usually `l` Linux, `w` Windows, `m` or `o` macOS."""
    password: bool
    vac: bool
    version: str | None
    port: int | None
    """The game port (EDF 0x80), the one to connect to."""
    steam_id: int | None
    spectator_port: int | None
    spectator_name: str | None
    keywords: str | None
    goldsource_address: str | None = None
    game_id: int | None = None
    """The whole 64 bits; the app id is its low 24."""
    the_ship: TheShip | None = None
    mod: GoldSourceMod | None = None


@dataclass(slots=True)
class A2SPlayer:
    """One row of a players reply. `duration_s` is time on the server in seconds, as sent (some send negative ones);
    NaN where the server sent no usable number."""

    name: str
    score: int
    duration_s: float
    deaths: int | None = None
    """The Ship only."""
    money: int | None = None
    """The Ship only."""


@dataclass(slots=True)
class A2SReply:
    """What one A2S conversation learnt. A part that was not asked for or not answered is None."""

    info: A2SInfo
    players: tuple[A2SPlayer, ...] | None = None
    """None also where the server answers without publishing names."""
    rules: dict[bytes, bytes] | None = None
    """In the server's order. Bytes, since Arma 3 and DayZ send binary pages."""
