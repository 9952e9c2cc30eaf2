"""Valve's server queries (A2S): info, players and rules of Source, GoldSource and The Ship servers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
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
    max_players: int
    bots: int
    server_type: str
    environment: str
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


@dataclass(frozen=True, slots=True)
class A2SPlayer:
    """One row of a players reply. `duration_s` is time on the server in seconds."""

    name: str
    score: int
    duration_s: float


@dataclass(slots=True)
class A2SReply:
    """What one A2S conversation learnt. A part that was not asked for or not answered is None."""

    info: A2SInfo
    players: tuple[A2SPlayer, ...] | None = None
    rules: dict[bytes, bytes] | None = None
