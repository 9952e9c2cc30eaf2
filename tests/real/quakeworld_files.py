"""What QuakeWorld's server needs in place of the game's data, and players for it.

The server loads a program (version 6 of QuakeC's format) and a map (version 29). Here every function of the program
returns at once, but for the map's own one, which names the models that the server looks up; the map is an empty room.
"""

import contextlib
import socket
import struct
from collections.abc import Iterator, Sequence, Sized
from pathlib import Path

from timeouts import LIMIT_S

from browser_app.protocols.address import Address

PROGRAM_VERSION, MAP_VERSION = 6, 29
PROGDEFS_CHECKSUM = 54730
"""Of the variables that engine and program share, which QuakeWorld's servers check."""
FIRST_FUNCTION = 80
"""Place of the first function among the shared variables."""
ENGINE_CALLS = (
    "main", "StartFrame", "PlayerPreThink", "PlayerPostThink", "ClientKill", "ClientConnect", "PutClientInServer",
    "ClientDisconnect", "SetNewParms", "SetChangeParms",
)  # fmt: skip
"""In the order of their places."""
SPAWNS = ("worldspawn", "info_player_start", "info_player_deathmatch")
ENTITY_WORDS = 102
ENTITY_FIELDS = (("origin", 3, 11), ("classname", 1, 26), ("model", 1, 27), ("message", 1, 96))
"""Name, type (1 text, 3 vector) and place."""
MODELS = tuple(f"progs/{name}.mdl" for name in ("player", "eyes", "h_player", "gib1", "gib2", "gib3"))
RETURN, STORE_TEXT, CALL_WITH_ONE = 0, 33, 52
FIRST_ARGUMENT, PRECACHE_MODEL, FUNCTION_TYPE = 4, 20, 6
HALF_ROOM = 512


class TextTable:
    """The table of texts of a program."""

    def __init__(self) -> None:
        self.data = b"\0"

    def place(self, text: str) -> int:
        place = len(self.data)
        self.data += text.encode() + b"\0"
        return place


def build_program() -> bytes:
    """Return a `qwprogs.dat`."""
    texts, names = TextTable(), (*ENGINE_CALLS, *SPAWNS)
    first_free = FIRST_FUNCTION + len(names)
    precache_place, model_places = first_free, range(first_free + 1, first_free + 1 + len(MODELS))
    variables = [0] * (model_places.stop + 8)
    variables[precache_place] = 1
    statements = [(RETURN, 0, 0, 0)] * 2
    functions = [(0, 0), (-PRECACHE_MODEL, texts.place("precache_model"))]
    definitions = [(0, 0, 0)]
    for place, name in enumerate(names, FIRST_FUNCTION):
        variables[place] = len(functions)
        functions.append((2 if name == "worldspawn" else 1, texts.place(name)))
        definitions.append((FUNCTION_TYPE, place, texts.place(name)))
    for place, model in zip(model_places, MODELS, strict=True):
        variables[place] = texts.place(model)
        statements += [(STORE_TEXT, place, FIRST_ARGUMENT, 0), (CALL_WITH_ONE, precache_place, 0, 0)]
    statements.append((RETURN, 0, 0, 0))
    fields = [(0, 0, 0), *((kind, place, texts.place(name)) for name, kind, place in ENTITY_FIELDS)]
    source = texts.place("room.qc")
    texts.data += bytes(-len(texts.data) % 4)
    tables: list[tuple[Sized, list[bytes]]] = [
        (statements, [struct.pack("<H3h", *each) for each in statements]),
        (definitions, [struct.pack("<HHi", *each) for each in definitions]),
        (fields, [struct.pack("<HHi", *each) for each in fields]),
        (functions, [struct.pack("<7i8x", start, 0, 0, 0, name, source, 0) for start, name in functions]),
        (texts.data, [texts.data]),
        (variables, [struct.pack("<i", each) for each in variables]),
    ]
    header, body = struct.pack("<2i", PROGRAM_VERSION, PROGDEFS_CHECKSUM), b""
    body_start = len(header) + 8 * len(tables) + 4
    for entries, parts in tables:
        header += struct.pack("<2i", body_start + len(body), len(entries))
        body += b"".join(parts)
    return header + struct.pack("<i", ENTITY_WORDS) + body


def build_map() -> bytes:
    """Return a map: one plane that parts nothing, a solid leaf and an empty one."""
    low, high = (-HALF_ROOM,) * 3, (HALF_ROOM,) * 3
    entities = (
        b'{ "classname" "worldspawn" "message" "Room" } { "classname" "info_player_deathmatch" "origin" "0 0 64" }\0'
    )
    solid_leaf = struct.pack("<2i6h2H4x", -2, -1, *(0,) * 6, 0, 0)
    empty_leaf = struct.pack("<2i6h2H4x", -1, -1, *low, *high, 0, 0)
    lumps = {
        0: entities,
        1: struct.pack("<4fi", 0, 0, 1, 0, 2),
        5: struct.pack("<i2h6h2H", 0, -2, -1, *low, *high, 0, 0),
        9: struct.pack("<i2h", 0, -1, -2),
        10: solid_leaf + empty_leaf,
        14: struct.pack("<9f7i", *low, *high, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0),
    }
    count = 15
    header, body = struct.pack("<i", MAP_VERSION), b""
    for number in range(count):
        lump = lumps.get(number, b"")
        header += struct.pack("<2i", 4 + 8 * count + len(body), len(lump))
        body += lump + bytes(-len(lump) % 4)
    return header + body


def write_world(folder: Path, settings: Sequence[str]) -> None:
    """Write the folder that the server needs; `settings` are console lines."""
    (folder / "id1").mkdir(parents=True)
    (folder / "qw/maps").mkdir(parents=True)
    (folder / "qw/qwprogs.dat").write_bytes(build_program())
    (folder / "qw/maps/room.bsp").write_bytes(build_map())
    (folder / "qw/server.cfg").write_text("\n".join(settings) + "\n", encoding="latin-1")


@contextlib.contextmanager
def quakeworld_player(server: Address, userinfo: bytes) -> Iterator[None]:
    r"""Connect as a player, or with `\spectator\1` as a spectator."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(LIMIT_S)
        sock.connect(server)
        sock.send(b"\xff\xff\xff\xffgetchallenge\n")
        reply = sock.recv(1024)
        assert reply.startswith(b"\xff\xff\xff\xffc"), reply
        challenge = reply[5:].split(b"\0")[0]
        qport = b"%d" % (sock.getsockname()[1])
        sock.send(b'\xff\xff\xff\xffconnect 28 %s %s "%s"\n' % (qport, challenge, userinfo))
        reply = sock.recv(1024)
        assert reply.startswith(b"\xff\xff\xff\xffj"), reply
        yield
