"""Write packets of Valve's server queries and of foreign protocols.

Each with the values that were packed into it.

No server that Debian packages answers these queries, so the bytes are packed here as the protocol pages describe them
(developer.valvesoftware.com/wiki/Server_queries; the GameSpy, Quake II, Unreal 2 and Teeworlds pages of their
communities). Nothing is shared with the program's own parsers and encoders. The output is always the same.
"""

import argparse
import bz2
import json
import random
import string
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
HERE = Path(__file__).resolve().parent
SINGLE, SPLIT = struct.pack("<i", -1), struct.pack("<i", -2)
SOURCE_PART, GOLDSOURCE_PART = 1200, 1390
"""Payload bytes of one part of a split reply."""


def text(value: str | bytes) -> bytes:
    """Pack a string that ends at a zero byte."""
    return (value if isinstance(value, bytes) else value.encode("utf-8")) + b"\0"


def shown(value: str | bytes) -> str:
    """Return a packed string as it is read: UTF-8, with U+FFFD for what is not."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


# Valve's info replies


@dataclass(frozen=True)
class SourceServer:
    """What one Source server says about itself."""

    id: str
    game: str
    folder: str
    appid: int
    name: str | bytes
    map: str = "arena"
    description: str | bytes = ""
    players: int = 0
    max_players: int = 16
    bots: int = 0
    server_type: str = "d"
    environment: str = "l"
    password: bool = False
    vac: bool = True
    version: str = "1.0.0.0"
    protocol: int = 17
    port: int | None = None
    steamid: int | None = None
    sourcetv: tuple[int, str] | None = None
    keywords: str | None = None
    gameid: int | None = None
    ship: tuple[int, int, int] | None = None
    kinds: tuple[str, ...] = ()

    def info(self) -> tuple[bytes, Entry]:
        """Return the `I` reply and what it says."""
        appid = self.appid & 0xFFFF
        numbers = (self.players, self.max_players, self.bots)
        kind, system = self.server_type.encode(), self.environment.encode()
        packet = SINGLE + b"I" + bytes([self.protocol])
        packet += text(self.name) + text(self.map) + text(self.folder) + text(self.description)
        packet += struct.pack("<H3Bcc2B", appid, *numbers, kind, system, self.password, self.vac)
        said: Entry = {
            "protocol": self.protocol,
            "name": shown(self.name),
            "map": self.map,
            "folder": self.folder,
            "game": shown(self.description),
            "appid": appid,
            "players": self.players,
            "max_players": self.max_players,
            "bots": self.bots,
            "server_type": self.server_type,
            "environment": self.environment,
            "password": self.password,
            "vac": self.vac,
            "version": self.version,
        }
        if self.ship is not None:
            packet += struct.pack("<3B", *self.ship)
            said |= dict(zip(("ship_mode", "ship_witnesses", "ship_duration"), self.ship, strict=True))
        flags, extra, extra_said = self._extra()
        packet += text(self.version) + (bytes([flags]) + extra if flags else b"")
        return packet, said | extra_said

    def _extra(self) -> tuple[int, bytes, Entry]:
        """Return the extra data flag, the data and what it says."""
        flags, packed = 0, b""
        said: Entry = {}
        if self.port is not None:
            flags, packed, said["port"] = flags | 0x80, packed + struct.pack("<H", self.port), self.port
        if self.steamid is not None:
            flags, packed, said["steamid"] = flags | 0x10, packed + struct.pack("<Q", self.steamid), self.steamid
        if self.sourcetv is not None:
            port, name = self.sourcetv
            flags, packed = flags | 0x40, packed + struct.pack("<H", port) + text(name)
            said |= {"sourcetv_port": port, "sourcetv_name": name}
        if self.keywords is not None:
            flags, packed, said["keywords"] = flags | 0x20, packed + text(self.keywords), self.keywords
        if self.gameid is not None:
            flags, packed, said["gameid"] = flags | 0x01, packed + struct.pack("<Q", self.gameid), self.gameid
        return flags, packed, said | ({"edf": flags} if flags else {})


def goldsource_info(server: SourceServer, mod: Mapping[str, Any] | None) -> tuple[bytes, Entry]:
    """Return the `m` reply of a GoldSource server and what it says."""
    address = "192.0.2.7:27015"
    packet = SINGLE + b"m" + b"".join(map(text, (address, server.name, server.map, server.folder, server.description)))
    packet += struct.pack("<3B", server.players, server.max_players, server.protocol)
    packet += server.server_type.encode() + server.environment.encode() + bytes([server.password, mod is not None])
    said: Entry = {
        "address": address,
        "name": shown(server.name),
        "map": server.map,
        "folder": server.folder,
        "game": shown(server.description),
        "players": server.players,
        "max_players": server.max_players,
        "protocol": server.protocol,
        "server_type": server.server_type,
        "environment": server.environment,
        "password": server.password,
        "is_mod": mod is not None,
        "vac": server.vac,
        "bots": server.bots,
    }
    if mod is not None:
        packet += text(mod["mod_link"]) + text(mod["mod_download"]) + b"\0"
        packet += struct.pack("<2i2B", mod["mod_version"], mod["mod_size"], mod["mod_type"], mod["mod_dll"])
        said |= mod
    return packet + bytes([server.vac, server.bots]), said


# Lists of players and rules, and how they are split


def players_reply(players: Sequence[Entry]) -> tuple[bytes, Entry]:
    """Return the `D` reply; The Ship adds everyone's deaths and money after the list."""
    packet = SINGLE + b"D" + bytes([len(players)])
    for index, player in enumerate(players):
        packet += bytes([index]) + text(player["name"]) + struct.pack("<if", player["score"], player["duration"])
    for player in players:
        if "money" in player:
            packet += struct.pack("<ii", player["deaths"], player["money"])
    said = [{"index": index, **player, "name": shown(player["name"])} for index, player in enumerate(players)]
    return packet, {"count": len(players), "players": said}


def rules_reply(rules: Mapping[str, str]) -> tuple[bytes, Entry]:
    """Return the `E` reply."""
    packet = SINGLE + b"E" + struct.pack("<H", len(rules))
    packet += b"".join(text(key) + text(value) for key, value in rules.items())
    return packet, {"count": len(rules), "rules": dict(rules)}


def source_parts(packet: bytes, ident: int, *, part: int = SOURCE_PART, has_size: bool = True) -> list[bytes]:
    """Split a reply as Source does.

    Identifier, total, number and, but for a few old games, the size of a part.
    """
    pieces = [packet[start : start + part] for start in range(0, len(packet), part)]
    size = struct.pack("<H", part + 48) if has_size else b""
    return [
        SPLIT + struct.pack("<I2B", ident, len(pieces), number) + size + piece for number, piece in enumerate(pieces)
    ]


def compressed_parts(packet: bytes, ident: int, *, part: int = SOURCE_PART, has_size: bool = True) -> list[bytes]:
    """Compress a reply and split it.

    Bit 31 of the identifier is set; length and CRC-32 precede the data.
    """
    packed = struct.pack("<iI", len(packet), zlib.crc32(packet)) + bz2.compress(packet)
    return source_parts(packed, ident | 0x8000_0000, part=part, has_size=has_size)


def goldsource_parts(packet: bytes, ident: int) -> list[bytes]:
    """Split a reply as GoldSource does: number and total are in one byte."""
    pieces = [packet[start : start + GOLDSOURCE_PART] for start in range(0, len(packet), GOLDSOURCE_PART)]
    return [
        SPLIT + struct.pack("<I", ident) + bytes([number << 4 | len(pieces)]) + piece
        for number, piece in enumerate(pieces)
    ]


# The servers


NAMES = (
    *(
        "Ann",
        "bob",
        "[RR] Cid",
        "dörte",
        "Eve 🎮",
        "f|n",
        "<b>Gus</b>",
        "%s%n",
        "日本",
        "h1",
        "Íñigo",
        "Jo\tJo",
        "  Kai",
    ),
    *("Lou", "^1Mo^7", "n00b", '"Ole"', "Pia\\Pia", "Q", "Rúna", "\u202eSam", "Tim", "Uwe", "x" * 31, "Yan", "Zoë"),
)
GAMES = (
    ("Team Fortress 2", "tf", 440, "ctf_orchard", "Team Fortress"),
    ("Counter-Strike: Source", "cstrike", 240, "de_quarry", "Counter-Strike: Source"),
    ("Garry's Mod", "garrysmod", 4000, "gm_plain", "Sandbox"),
    ("Left 4 Dead 2", "left4dead2", 550, "c20m1_harbour", "L4D2 - Co-op"),
    ("Insurgency", "insurgency", 222880, "lighthouse_coop", "Insurgency"),
    ("7 Days to Die", "7DTD", 251570, "Navezgane", "7 Days To Die"),
    ("Black Mesa", "bms", 362890, "dm_silo", "Black Mesa"),
    ("Fistful of Frags", "fof", 265630, "fof_gulch", "Fistful of Frags"),
)
"""Title, folder, Steam application, a map and the description of games that a profile claims."""


def random_players(rng: random.Random, count: int) -> list[Entry]:
    """Return players with scores and whole or half seconds."""
    return [
        {"name": name, "score": rng.choice((0, rng.randrange(60), -rng.randrange(9))), "duration": each / 2}
        for name, each in zip(rng.sample(NAMES, count), [rng.randrange(1, 20_000) for _ in range(count)], strict=True)
    ]


def settings(rng: random.Random, count: int, length: int = 6) -> dict[str, str]:
    """Return rules with names as games have them."""
    words = ("mp", "sv", "tf", "rr", "sm", "nextlevel", "coop", "deathmatch", "r")
    return {
        f"{rng.choice(words)}_{''.join(rng.choices(string.ascii_lowercase, k=7))}{number}": rng.choice(
            ("0", "1", "", "0.5", "".join(rng.choices(string.ascii_letters + " .:/-", k=length)))
        )
        for number in range(count)
    }


def entry(
    server: SourceServer, query: str, datagrams: Sequence[bytes], expected: Entry, *kinds: str, suffix: str = ""
) -> Entry:
    """Return one line of the file."""
    return {
        "id": f"own/{server.id}/{query}{suffix}",
        "server": f"own/{server.id}",
        "source": "make_packets.py",
        "licence": "MIT",
        "game": server.game,
        "query": query,
        "kinds": sorted({*server.kinds, *kinds, *(["split-many"] if len(datagrams) > 1 else [])}),
        "datagrams": [datagram.hex() for datagram in datagrams],
        "expected": expected,
    }


def info_entry(server: SourceServer) -> Entry:
    """Return a server's info reply."""
    packet, said = server.info()
    kinds = [] if "edf" in said else ["no-edf"]
    return entry(server, "info", [packet], said, *kinds)


def list_entries(server: SourceServer, players: Sequence[Entry], rules: Mapping[str, str]) -> Iterator[Entry]:
    """Yield a server's lists, each in one packet."""
    packet, said = players_reply(players)
    yield entry(server, "players", [packet], said)
    packet, said = rules_reply(rules)
    yield entry(server, "rules", [packet], said)


def random_servers(rng: random.Random) -> Iterator[Entry]:
    """Yield servers of games with a profile, with any choice of extra data."""
    for number in range(20):
        game, folder, appid, map_name, description = GAMES[number % len(GAMES)]
        slots = rng.randrange(8, 33)
        humans = rng.randrange(0, min(slots, len(NAMES)) // 2)
        bots = rng.choice((0, 0, rng.randrange(3)))
        own_id = appid > 0xFFFF or rng.random() < 0.5
        server = SourceServer(
            f"random-{number:02}",
            game,
            folder,
            appid,
            f"{rng.choice(('Public', 'Late night', 'Нова', 'Überall', '★ Star'))} #{number} | {game}",
            map_name,
            description,
            humans + bots,
            slots,
            bots,
            rng.choice("dlp"),
            rng.choice("lwmo"),
            rng.random() < 0.2,
            rng.random() < 0.7,
            f"{rng.randrange(1, 9)}.{rng.randrange(100)}",
            port=rng.choice((None, rng.randrange(1024, 65536))),
            steamid=rng.choice((None, 90_000_000_000_000_000 + rng.randrange(10**15))),
            sourcetv=rng.choice((None, None, (rng.randrange(1024, 65536), "SourceTV"))),
            keywords=rng.choice((None, "", "alltalk,nocrits", "a,b,c", "mods|x")),
            gameid=appid if own_id else None,
        )
        yield info_entry(server)
        yield from list_entries(server, random_players(rng, humans + bots), settings(rng, rng.randrange(0, 25)))


def ns2_server(rng: random.Random) -> Iterator[Entry]:
    """Yield a Natural Selection 2 server with its tags and rules."""
    server = SourceServer(
        *("ns2", "Natural Selection 2", "naturalselection2", 4920, "Own test server"),
        *("ns2_pipeline", "Natural Selection 2", 18, 24, 2),
        version="1.0.0.0",
        port=27015,
        steamid=90071992547409921,
        keywords="344|ns2|M|149|25|40|88|P_S1830|R_S2|rookie|shine|ServerTickrate30|tickrate_30",
        gameid=4920,
        kinds=("ns2",),
    )
    rules = {
        "AverageSkill": "1830.5",
        "tickrate": "30",
        "ent_count": "1,204",
        "mods[0]": "706d242 812f004",
        "mods[1]": "1a2b3c4d",
        "net_sendrate": "20",
    }
    yield info_entry(server)
    yield from list_entries(server, random_players(rng, 18), rules)


def the_ship(rng: random.Random) -> Iterator[Entry]:
    """Yield a server of The Ship, whose replies have fields of their own."""
    server = SourceServer(
        *("the-ship", "The Ship", "ship", 2400, "Evening cruise", "batavier", "The Ship", 7, 16, 3),
        *("d", "w", False, True, "1.0.0.16", 7),
        ship=(1, 2, 5),
        kinds=("the-ship",),
    )
    yield info_entry(server)
    rows = [
        each | {"deaths": rng.randrange(9), "money": 2500 + 50 * rng.randrange(90)} for each in random_players(rng, 7)
    ]
    rows[0]["duration"] = -1.0
    yield from list_entries(server, rows, settings(rng, 8))


MOD = {
    "mod_link": "www.example.org",
    "mod_download": "",
    "mod_version": 1,
    "mod_size": 184_000_000,
    "mod_type": 0,
    "mod_dll": 1,
}


def goldsource_servers(rng: random.Random) -> Iterator[Entry]:
    """Yield GoldSource servers.

    A mod, no mod, and one that answers an info request with `m` and `I`.
    """
    mod = SourceServer(
        *("goldsource-mod", "Counter-Strike 1.6", "cstrike", 10, "Dust only", "de_dust2", "Counter-Strike", 9, 20, 1),
        protocol=47,
        password=True,
    )
    plain = SourceServer(
        *("goldsource-plain", "Half Life", "valve", 70, "Crossfire", "crossfire", "Half-Life", 0, 8),
        protocol=48,
        environment="w",
        vac=False,
    )
    both = SourceServer(
        *(
            "goldsource-both",
            "Counter-Strike 1.6",
            "cstrike",
            10,
            "Both replies",
            "de_aztec",
            "Counter-Strike",
            3,
            24,
            0,
        ),
        protocol=48,
        steamid=90071992547409923,
        port=27016,
        gameid=10,
    )
    packet, said = goldsource_info(mod, MOD)
    yield entry(mod, "info", [packet], said, "info-goldsource")
    yield entry(mod, "players", *players_of(random_players(rng, 10)))
    packet, said = rules_reply(settings(rng, 130, 12))
    yield entry(mod, "rules", goldsource_parts(packet, 77), said, "split-goldsource")
    packet, said = goldsource_info(plain, None)
    yield entry(plain, "info", [packet], said, "info-goldsource")
    yield from list_entries(plain, [], {"sv_gravity": "800", "mp_timelimit": "0"})
    packet, said = goldsource_info(both, MOD | {"mod_type": 1, "mod_size": 0})
    yield entry(both, "info", [packet], said, "info-goldsource")
    packet, said = both.info()
    yield entry(both, "info", [packet], said, suffix="-2")
    yield from list_entries(both, random_players(rng, 3), {})


def players_of(players: Sequence[Entry]) -> tuple[list[bytes], Entry]:
    """Return a list of players in one packet."""
    packet, said = players_reply(players)
    return [packet], said


def split_servers(rng: random.Random) -> Iterator[Entry]:
    """Yield lists that are too long for one packet, split in every way that there is."""
    many = SourceServer(
        *("split-source", "Team Fortress 2", "tf", 440, "Many rules", "cp_mill", "Team Fortress", 26, 32, 0),
        port=27015,
        gameid=440,
    )
    yield info_entry(many)
    packet, said = players_reply(random_players(rng, 26))
    yield entry(many, "players", source_parts(packet, 5, part=300), said, "split-source")
    packet, said = rules_reply(settings(rng, 150, 10))
    yield entry(many, "rules", source_parts(packet, 6), said, "split-source")

    old = SourceServer(
        *("split-bzip2", "Counter-Strike: Source", "cstrike", 240, "Compressed", "cs_attic", "Counter-Strike: Source"),
        *(3, 20, 3),
        protocol=7,
    )
    yield info_entry(old)
    yield entry(old, "players", *players_of(random_players(rng, 3)))
    packet, said = rules_reply(settings(rng, 160, 10))
    yield entry(old, "rules", compressed_parts(packet, 9, part=900), said, "split-bzip2", "split-source")

    older = SourceServer(
        *("split-no-size", "Counter-Strike: Source", "cstrike", 240, "Without a size", "cs_cellar"),
        *("Counter-Strike: Source", 2, 20, 0),
        protocol=7,
    )
    yield info_entry(older)
    packet, said = players_reply(random_players(rng, 20))
    yield entry(older, "players", source_parts(packet, 0x8001, part=250), said, "split-source", "split-id-bit15")
    packet, said = rules_reply(settings(rng, 120, 10))
    parts = compressed_parts(packet, 10, part=700, has_size=False)
    yield entry(older, "rules", parts, said, "split-bzip2", "split-no-size-field")

    mixed = SourceServer(
        *("split-out-of-order", "Garry's Mod", "garrysmod", 4000, "In any order", "gm_flat", "Sandbox", 1, 12, 0),
        port=27025,
        keywords="gm:sandbox",
        gameid=4000,
    )
    yield info_entry(mixed)
    yield entry(mixed, "players", *players_of(random_players(rng, 1)))
    packet, said = rules_reply(settings(rng, 140, 10))
    parts = source_parts(packet, 11, part=800)
    yield entry(mixed, "rules", [parts[2], parts[0], *parts[3:], parts[1]], said, "split-source", "split-out-of-order")


def unusual_servers(rng: random.Random) -> Iterator[Entry]:
    """Yield names and numbers that are unusual."""
    latin = SourceServer(
        *("odd-latin1", "Garry's Mod", "garrysmod", 4000, "Caf\xe9 der Spieler".encode("latin-1"), "gm_caf"),
        *("S\xe4ndkasten".encode("latin-1"), 2, 16, 0),
        port=27017,
        gameid=4000,
        kinds=("not-utf8",),
    )
    yield info_entry(latin)
    yield entry(latin, "players", *players_of([{"name": b"Ren\xe9", "score": 2**31 - 1, "duration": 0.5}]))
    names = {
        "controls": "\x01\x02\x1b[31mred\x7f name\r\n",
        "markup": "<img src=x> & %s %n `id` $(id) ; rm -rf",
        "direction": "\u202eesrever\u202c and \u2066more\u2069",
        "emoji": "🔥🔥 24/7 👩‍👩‍👧‍👦 e\u0301",
        "empty": "",
        "long": "y" * 200,
        "spaces": "   wide    open   ",
    }
    for kind, name in names.items():
        server = SourceServer(
            *(f"odd-{kind}", "Half Life 2: Deathmatch", "hl2mp", 320, name, "dm_lockdown", "Deathmatch"),
            *(0, 255, 0, "p", "m"),
            vac=False,
        )
        yield info_entry(server)
    crowded = SourceServer(
        *("odd-counts", "Team Fortress 2", "tf", 440, "More bots than players", "koth_hall", "Team Fortress"),
        *(3, 0, 9, "l", "w"),
        keywords="",
        sourcetv=(65535, ""),
    )
    yield info_entry(crowded)
    duplicate = {"name": "", "score": -(2**31), "duration": 0.0}
    yield entry(crowded, "players", *players_of([duplicate, duplicate, {"name": "Max", "score": 0, "duration": 1e6}]))
    empty = SourceServer(
        *("odd-nothing", "Left 4 Dead 2", "left4dead2", 550, "Empty lists", "c20m2_mall", "L4D2 - Versus")
    )
    yield info_entry(empty)
    yield from list_entries(empty, [], {})
    rust = SourceServer(
        *("odd-rust", "Rust", "rust", 252490 & 0xFFFF, "Weekly", "Procedural Map", "Rust", 60, 250, 0),
        keywords="mp250,cp212,qp3,v2511,born1700000000",
        gameid=252490,
    )
    yield info_entry(rust)


def a2s_entries() -> list[Entry]:
    """Return the lines of `a2s.jsonl`."""
    rng = random.Random("a2s packets")
    makers = (random_servers, ns2_server, the_ship, goldsource_servers, split_servers, unusual_servers)
    return [each for maker in makers for each in maker(rng)]


# Replies of master servers


def _master_entry(
    name: str, game: str, packet: bytes, servers: Sequence[str], *, eot: bool, kinds: Sequence[str]
) -> Entry:
    common = {"id": f"own/masters/{name}", "server": f"own/masters/{name}", "source": "make_packets.py"}
    said = {"servers": list(servers), "eot": eot}
    return {**common, "licence": "MIT", "game": game, "query": "servers", "kinds": list(kinds),
            "datagrams": [packet.hex()], "expected": said}  # fmt: skip


def master_entries() -> list[Entry]:
    """Return the lines of `masters.jsonl`.

    Replies follow dpmaster's documentation and ioquake3's source.
    """
    rng = random.Random("masters")
    hosts = [(192, 0, 2, number) for number in range(1, 41)]
    ports = [rng.randrange(1024, 65536) for _ in hosts]
    v4 = [bytes(host) + struct.pack(">H", port) for host, port in zip(hosts, ports, strict=True)]
    named = [f"{'.'.join(map(str, host))}:{port}" for host, port in zip(hosts, ports, strict=True)]
    v6 = bytes.fromhex("20010db8000000000000000000000007") + struct.pack(">H", 26000)
    plain, extended = SINGLE + b"getserversResponse", SINGLE + b"getserversExtResponse"
    listed = b"".join(b"\\" + each for each in v4)
    mixed = b"\\" + v4[0] + b"/" + v6 + b"\\" + v4[1]
    mixed_names = [named[0], "[2001:db8::7]:26000", named[1]]
    return [
        _master_entry("whole", "OpenArena", plain + listed + b"\\EOT\0\0\0", named, eot=True, kinds=[]),
        _master_entry("part", "OpenArena", plain + listed, named, eot=False, kinds=["no-eot"]),
        _master_entry("short", "OpenArena", plain + b"\\" + v4[0] + b"\\EOT", named[:1], eot=True,
                      kinds=["eot-without-zeros"]),
        _master_entry("empty", "Nexuiz", plain + b"\\EOT\0\0\0", [], eot=True, kinds=[]),
        _master_entry("extended", "Nexuiz", extended + mixed + b"\\EOT\0\0\0", mixed_names, eot=True, kinds=["ipv6"]),
    ]  # fmt: skip


# Protocols that are not ours


def other_entry(protocol: str, number: int, game: str, datagrams: Sequence[bytes], expected: Entry) -> Entry:
    """Return one line of a file of another protocol."""
    return {
        "id": f"own/{protocol}/{number}",
        "server": f"own/{protocol}/{number}",
        "source": "make_packets.py",
        "licence": "MIT",
        "game": game,
        "query": "all",
        "datagrams": [datagram.hex() for datagram in datagrams],
        "expected": expected,
    }


def _server_values(rng: random.Random, number: int) -> dict[str, str]:
    count = rng.randrange(12)
    return {
        "hostname": rng.choice(("Own server", "Café", "\u00a7cRed", "[RR] Nights")) + f" {number}",
        "mapname": rng.choice(("berlin", "harbour", "q2dm1")),
        "gametype": rng.choice(("conquest", "dm", "coop")),
        "gamever": f"1.{rng.randrange(60)}",
        "numplayers": str(count),
        "maxplayers": str(count + rng.randrange(1, 20)),
        "password": rng.choice("01"),
        "hostport": str(rng.randrange(1024, 65536)),
    }


def gamespy1(rng: random.Random, number: int) -> tuple[list[bytes], Entry]:
    """Return backslash pairs with `final` and `queryid` at the end.

    The players are in packets of their own.
    """
    facts = _server_values(rng, number)
    rows = "".join(
        f"\\player_{row}\\{name}\\frags_{row}\\{rng.randrange(40)}\\ping_{row}\\{rng.randrange(200)}"
        for row, name in enumerate(rng.sample(NAMES, int(facts["numplayers"])))
    )
    first = "".join(f"\\{key}\\{value}" for key, value in facts.items())
    parts = [f"{first}\\queryid\\{number}.1", f"{rows}\\final\\\\queryid\\{number}.2"]
    return [part.encode() for part in parts], facts


def gamespy2(rng: random.Random, number: int) -> tuple[list[bytes], Entry]:
    """Return a GameSpy 2 reply.

    A zero byte, the client's four bytes, zero-separated pairs, tables of players and teams.
    """
    facts = _server_values(rng, number)
    pairs = b"".join(text(key) + text(value) for key, value in facts.items())
    count = int(facts["numplayers"])
    head = bytes([0, count]) + text("player_") + text("score_") + text("ping_") + b"\0"
    rows = b"".join(
        text(name) + text(str(rng.randrange(40))) + text(str(rng.randrange(200))) for name in rng.sample(NAMES, count)
    )
    return [b"\0RDY1" + pairs + b"\0\0" + head + rows + bytes([0, 0]) + text("team_t") + b"\0"], facts


def gamespy3(rng: random.Random, number: int) -> tuple[list[bytes], Entry]:
    """Return a GameSpy 3 reply.

    A zero byte, the client's four bytes, `splitnum` with the part's number, then sections: pairs, columns of players.
    """
    facts = _server_values(rng, number)
    count = int(facts["numplayers"])
    pairs = b"".join(text(key) + text(value) for key, value in facts.items())
    columns = b"".join(
        text(title) + b"\0" + b"".join(text(str(rng.randrange(90))) for _ in range(count)) + b"\0"
        for title in ("score_", "ping_", "deaths_")
    )
    names = text("player_") + b"\0" + b"".join(map(text, rng.sample(NAMES, count))) + b"\0"
    head = b"\0\x10\x20\x30\x40splitnum\0"
    if number % 2:
        return [head + b"\0\0" + pairs + b"\0", head + b"\x81\x01" + names + columns + b"\0"], facts
    return [head + b"\x80\0" + pairs + b"\0\x01" + names + columns + b"\0\0"], facts


def quake2(rng: random.Random, number: int) -> tuple[list[bytes], Entry]:
    """`print`, the server's variables in one line, then a line for each player."""
    facts = _server_values(rng, number) | {"protocol": "34", "version": "R1Q2 b8012"}
    rows = "".join(
        f'{rng.randrange(-5, 40)} {rng.randrange(300)} "{name}"\n'
        for name in rng.sample([name for name in NAMES if '"' not in name], int(facts["numplayers"]))
    )
    pairs = "".join(f"\\{key}\\{value}" for key, value in facts.items())
    return [SINGLE + b"print\n" + f"{pairs}\n{rows}".encode()], facts


def unreal2(rng: random.Random, number: int) -> tuple[list[bytes], Entry]:
    """Return three packets of kinds 0, 1 and 2: details, rules and players.

    Strings are preceded by their length.
    """
    facts = _server_values(rng, number)

    def pascal(value: str) -> bytes:
        raw = value.encode("latin-1", "replace") + b"\0"
        return bytes([len(raw)]) + raw

    head = struct.pack("<i", 0x80)
    details = head + struct.pack("<B4xB2i", 0, 0, int(facts["hostport"]), 0)
    details += pascal(facts["hostname"]) + pascal(facts["mapname"]) + pascal(facts["gametype"])
    details += struct.pack("<2i4xB", int(facts["numplayers"]), int(facts["maxplayers"]), 0)
    rules = head + b"\x01" + pascal("ServerMode") + pascal("dedicated") + pascal("Mutator") + pascal("Own")
    players = head + b"\x02" + b"".join(
        struct.pack("<i", row) + pascal(name) + struct.pack("<3i", rng.randrange(200), rng.randrange(50), 0)
        for row, name in enumerate(rng.sample(NAMES, int(facts["numplayers"])))
    )  # fmt: skip
    return [details, rules, players], facts


def teeworlds(rng: random.Random, number: int) -> tuple[list[bytes], Entry]:
    """Return a Teeworlds reply.

    Ten bytes of 0xff, `inf3` and the client's token, then zero-separated texts.
    """
    facts = _server_values(rng, number)
    count = int(facts["numplayers"])
    head = ("0.6.5", facts["hostname"], facts["mapname"], facts["gametype"], facts["password"])
    counts = (facts["numplayers"], facts["maxplayers"]) * 2
    rows = [field for name in rng.sample(NAMES, count) for field in (name, "clan", "276", str(rng.randrange(50)), "1")]
    fields = (str(rng.randrange(256)), *head, *counts, *rows)
    return [b"\xff" * 10 + b"inf3" + b"".join(map(text, fields))], facts


OTHERS = {
    "gamespy1": ("Battlefield 1942", gamespy1, 8),
    "gamespy2": ("ArmA Armed Assault", gamespy2, 8),
    "gamespy3": ("Battlefield 2", gamespy3, 12),
    "quake2": ("Quake 2 Server", quake2, 8),
    "unreal2": ("Unreal Tournament 2004", unreal2, 8),
    "teeworlds": ("Teeworlds", teeworlds, 8),
}


def other_entries(protocol: str) -> list[Entry]:
    """Return the lines of `other_<protocol>.jsonl`."""
    rng = random.Random(f"{protocol} packets")
    game, make, count = OTHERS[protocol]
    return [other_entry(protocol, number, game, *make(rng, number)) for number in range(1, count + 1)]


def generated_files() -> dict[str, bytes]:
    """Return the content of every file by its path below this folder."""
    tables = {
        "a2s": a2s_entries(),
        "masters": master_entries(),
        **{f"other_{protocol}": other_entries(protocol) for protocol in OTHERS},
    }
    return {
        f"packets/{name}.jsonl": "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in entries).encode()
        for name, entries in tables.items()
    }


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="write below this folder")
    folder = parser.parse_args().folder
    for name, content in generated_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main()
