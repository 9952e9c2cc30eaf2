"""Loopback servers of many protocols, which repeat recorded replies."""

import json
import socketserver
import struct
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from loopback_servers import Handler
from recorded_data import OWN, data_folders

from browser_app.protocols.address import Address
from browser_app.protocols.doom.doom_server import (
    encode_odamex_reply,
    encode_zandronum_reply,
    parse_odamex_request,
    parse_zandronum_request,
)
from browser_app.protocols.doom.odamex import OdamexReply
from browser_app.protocols.doom.zandronum import ZandronumReply
from browser_app.protocols.srb2 import PLAYER_INFO, SERVER_INFO, encode_srb2_packet


class Exchange(NamedTuple):
    """One request and the datagrams, or the bytes of a stream, that answered it."""

    what: str
    request: bytes
    replies: tuple[bytes, ...]


@cache
def exchanges(name: str) -> tuple[Exchange, ...]:
    """Return the exchanges of one file that were answered."""
    text = (data_folders()[OWN] / "families" / f"{name}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return tuple(
        Exchange(
            row["what"],
            bytes.fromhex(row["request_hex"]),
            tuple(map(bytes.fromhex, (row["response_hex"], *row.get("more_hex", ())))),
        )
        for row in rows
        if row["response_hex"]
    )


def bedrock() -> Handler:
    """Return the handler of the Bedrock server, which repeats the time of a ping."""
    ((reply,), *_) = (each.replies for each in exchanges("minecraft-bedrock"))
    return lambda request: (reply[:1] + request[1:9] + reply[9:],) if request[:1] == b"\x01" else ()


def open_mp(**bodies: bytes) -> Handler:
    """Return the handler of the open.mp server, which repeats the header of a request.

    `bodies` replaces replies, by the letter of the request.
    """
    recorded = (
        each for each in exchanges("samp-openmp") if each.what.startswith("opcode") and "another" not in each.what
    )
    replies = {each.request[10:11]: each.replies[0][11:] for each in recorded}
    replies |= {letter.encode(): body for letter, body in bodies.items()}

    def answer(request: bytes) -> Iterable[bytes]:
        kind = request[10:11]
        if kind == b"p":
            return (request,)
        return (request[:11] + replies[kind],) if kind in replies else ()

    return answer


def ddnet(players: int) -> Handler:
    """Return the handler of the DDNet server with 0 or 45 players."""
    mark = "with 45 players" if players else "token 0x"
    vanilla, extended = (
        next(each for each in exchanges("ddnet06") if each.what.startswith(f"gie3 {kind}") and mark in each.what)
        for kind in ("vanilla", "extended")
    )

    def answer(request: bytes) -> Iterable[bytes]:
        if request.startswith(b"xe"):
            token = int.from_bytes(request[2:4] + request[-1:], "big")
            return [each.replace(b"1193046\0", b"%d\0" % token, 1) for each in extended.replies]
        return [each.replace(b"inf342\0", b"inf3%d\0" % request[-1], 1) for each in vanilla.replies]

    return answer


def teeworlds_07() -> Handler:
    """Return the handler of the Teeworlds server with three players."""
    by_start = {each.what.partition(" with")[0]: each.replies[0] for each in exchanges("teeworlds07")}
    token_reply, info_reply = by_start["token request"], by_start["gie3"]

    def answer(request: bytes) -> Iterable[bytes]:
        if request[:1] == b"\x04":
            return (token_reply[:3] + request[8:12] + token_reply[7:],)
        body = info_reply[17:].removeprefix(b"\x85\x12")
        return (request[:1] + request[5:9] + request[1:5] + info_reply[9:17] + request[17:] + body,)

    return answer


def luanti(request: bytes) -> Iterable[bytes]:
    """Answer as the Luanti server, which greets a new client."""
    return exchanges("luanti")[0].replies if request == exchanges("luanti")[0].request else ()


def quakeworld(request: bytes) -> Iterable[bytes]:
    """Answer as the QuakeWorld server with two players and a spectator."""
    return next((each.replies for each in exchanges("quakeworld")[1:] if each.request == request), ())


def hexenworld(request: bytes) -> Iterable[bytes]:
    """Answer as a HexenWorld server, of which there is no recording."""
    return (
        (b'\xff\xff\xff\xff\xffn\\hostname\\Rig\n1 5 3 40 "Bo" "" 0 0\n\0',) if request.startswith(b"\xff" * 5) else ()
    )


def quake2(request: bytes) -> Iterable[bytes]:
    """Answer as a Quake II server, of which there is no recording of our own."""
    reply = b'\xff\xff\xff\xffprint\n\\hostname\\Rig\\mapname\\q2dm1\\maxclients\\8\n3 40 "Bo"\n'
    replies = {b"\xff\xff\xff\xffstatus\n": reply, b"\xff\xff\xff\xffping\n": b"\xff\xff\xff\xffack"}
    return (replies[request],) if request in replies else ()


def sauerbraten(request: bytes) -> Iterable[bytes]:
    """Answer as the Sauerbraten server with three players, behind the request."""
    _empty, *recorded = exchanges("cube2-sauerbraten")
    for each in recorded:
        kind = each.request.removesuffix(_RECORDED_TOKEN)
        if request.startswith(kind):
            return [request + reply.removeprefix(each.request) for reply in each.replies]
    return ()


_RECORDED_TOKEN = b"token000"


def red_eclipse(request: bytes) -> Iterable[bytes]:
    """Answer as a Red Eclipse server without players did."""
    return (request + bytes.fromhex("000f80e60004008058021800808613020106000240000062617468005269672052450000"),)


def assault_cube(request: bytes) -> Iterable[bytes]:
    """Answer as an AssaultCube server, of which there is no recording."""
    return (request + b"\x80\xb1\x04\x05\x01\x09ac_desert\0Rig\0\x0e\0\x01Ann\0\0",)


def tesseract(request: bytes) -> Iterable[bytes]:
    """Answer as a Tesseract server, of which there is no recording."""
    return (request.removeprefix(b"\xff\xff") + b"\x02\x01\x08\x03\x05\x5a\0aastha\0Rig\0",)


def zandronum(request: bytes) -> Iterable[bytes]:
    """Answer as a Zandronum server, of which there is no recording of our own."""
    reply = ZandronumReply(
        "3.2", "Rig", map="MAP01", max_clients=8, max_players=8, mode=3, iwad="doom2.wad", players=()
    )
    return (encode_zandronum_reply(reply, parse_zandronum_request(request).token),)


def odamex(request: bytes) -> Iterable[bytes]:
    """Answer as an Odamex server, of which there is no recording of our own."""
    reply = OdamexReply("10.6.0", "", {"sv_hostname": "Rig"}, False, "MAP01", None, (), ("doom2.wad",), ())
    return (encode_odamex_reply(reply, parse_odamex_request(request)),)


def chocolate_doom(request: bytes) -> Iterable[bytes]:
    """Answer as the Chocolate Doom server."""
    (query,) = exchanges("chocolate-doom")
    return query.replies if request == query.request else ()


def repeating(name: str) -> Handler:
    """Return the handler of a server whose replies repeat nothing of the request."""
    return lambda request: next((each.replies for each in exchanges(name) if each.request == request), ())


def supertuxkart(request: bytes) -> Iterable[bytes]:
    """Answer as a SuperTuxKart server without players did."""
    reply = bytes.fromhex("00000006075269672053544b090031d70203000000")
    return (reply,) if request == b"\x0astk-server" else ()


def mumble(request: bytes) -> Iterable[bytes]:
    """Answer as the Mumble server, which repeats the end of a ping."""
    ((reply,), *_) = (each.replies for each in exchanges("mumble"))
    return (reply[:4] + request[4:12] + reply[12:],)


@contextmanager
def openttd_server() -> Iterator[Address]:
    """Run a server that sends recorded game information on each connection."""
    (recorded,) = exchanges("openttd")

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            if self.rfile.read(len(recorded.request)) == recorded.request:
                self.wfile.write(recorded.replies[0])

    with _serving_streams(Connection) as address:
        yield address


def vcmp(request: bytes) -> Iterable[bytes]:
    """Answer as a VC:MP server, of which there is no recording."""
    texts = b"".join(struct.pack("<I", len(text)) + text for text in (b"Vice", b"CTF", b"Polski"))
    replies = {
        b"i": b"04rel006".ljust(12, b"\0") + struct.pack("<?HH", True, 2, 50) + texts,
        b"c": struct.pack("<H", 2) + b"\3Bob\5Alice",
    }
    return (b"MP04" + request[4:] + replies[request[10:11]],) if request[10:11] in replies else ()


def multi_theft_auto(request: bytes) -> Iterable[bytes]:
    """Answer as a Multi Theft Auto server, of which there is no recording."""
    fields = ("mta", "22003", "#ff0000Rig Unicode", "Race", "Somewhere", "1.6", "1", "2", "64", "owner", "Bob")
    texts = b"".join(bytes([len(each) + 1]) + each.encode() for each in fields)
    players = b"\x19\4Bob\3-7\00342\x19\6Alice\0020\00399"
    return (b"EYE1" + texts + b"\x01" + players,) if request == b"s" else ()


def fivem(request: bytes) -> Iterable[bytes]:
    """Answer as a FiveM server, of which there is no recording."""
    (challenge,) = request[4:].removeprefix(b"getinfo ").split()
    keys = {
        "sv_maxclients": "48",
        "clients": "7",
        "challenge": challenge.decode(),
        "gamename": "CitizenFX",
        "protocol": "4",
        "hostname": "^1Rig ^7Roleplay",
        "gametype": "Freeroam",
        "mapname": "San Andreas",
        "iv": "-1613430153",
    }
    return (b"\xff\xff\xff\xffinfoResponse\n" + "".join(f"\\{key}\\{text}" for key, text in keys.items()).encode(),)


@contextmanager
def java_server(status: bytes) -> Iterator[Address]:
    """Run a server that sends a recorded status and repeats a ping."""

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            received = b""
            while not received.endswith(b"\x01\0"):
                data = self.request.recv(1024)
                if not data:
                    return
                received += data
            self.wfile.write(status)
            self.wfile.write(self.rfile.read(10))

    with _serving_streams(Connection) as address:
        yield address


@contextmanager
def space_station_server() -> Iterator[Address]:
    """Run a Space Station 14 server, of which there is no recording."""
    body = json.dumps(
        {"name": "Rig", "players": 4, "soft_max_players": 80, "run_level": 1, "tags": ["rp:low"]}
    ).encode()

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline() not in (b"\r\n", b""):
                pass
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body)

    with _serving_streams(Connection) as address:
        yield address


@contextmanager
def _serving_streams(handler: type[socketserver.BaseRequestHandler]) -> Iterator[Address]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield Address("127.0.0.1", server.server_address[1])
        finally:
            server.shutdown()
            thread.join()


def gamespy1(request: bytes) -> Iterable[bytes]:
    """Answer as an Unreal Tournament server, of which a recording exists elsewhere."""
    pairs = rb"\hostname\Rig\mapname\DM-Deck16][\numplayers\1\maxplayers\8\queryid\5.1"
    players = b"\\player_0\\Ann\\frags_0\\3\\queryid\\5.2\\final\\"
    return (pairs, players) if request == b"\\status\\" else ()


def gamespy2(request: bytes) -> Iterable[bytes]:
    """Answer as a Halo server, of which a recording exists elsewhere."""
    token, kind = request[3:7], request[7:]
    body = b"hostname\0Rig\0numplayers\x001\0\0" if kind == b"\xff\0\0" else b"\0\1player_\0\0Ann\0"
    return (b"\0" + token + body,)


def gamespy3(request: bytes) -> Iterable[bytes]:
    """Answer as a Battlefield 2 server, of which a recording exists elsewhere."""
    token = request[3:7]
    if request[2:3] == b"\x09":
        return (b"\x09" + token + b"-77\0",)
    return (b"\0" + token + b"splitnum\0\x80\0hostname\0Rig\0numplayers\x001\0\0\1player_\0\0Ann\0\0\0",)


def unreal2(request: bytes) -> Iterable[bytes]:
    """Answer as an Unreal Tournament 2004 server that was recorded elsewhere."""
    counts = (1).to_bytes(4, "little") + (16).to_bytes(4, "little")
    bodies = {
        b"\0": bytes(5) + (7777).to_bytes(4, "little") + bytes(4) + b"\4Rig\0\3DM\0\2x\0" + counts,
        b"\1": b"\10Mutator\0\2x\0",
        b"\2": bytes(4) + b"\4Ann\0" + bytes(12),
    }
    return (b"\x80\0\0\0" + request[4:] + bodies[request[4:]],)


def mindustry(request: bytes) -> Iterable[bytes]:
    """Answer as a Mindustry server, of which there is no recording."""
    numbers = b"".join(number.to_bytes(4, "big") for number in (3, 12, 146))
    return (b"\3Rig\7Glacier" + numbers + b"\10official\3" + (20).to_bytes(4, "big"),) if request == b"\xfe\x01" else ()


def srb2(request: bytes) -> Iterable[bytes]:
    """Answer as an SRB2Kart server with one player, of which there is no recording."""
    info = b"\xff\0" + b"SRB2Kart".ljust(16, b"\0") + b"\1\6\1\x10\2\0\0\2\0" + request[9:13] + bytes(4)
    texts = b"Rig".ljust(32, b"\0") + b"MAP01".ljust(8, b"\0") + b"Dark Race".ljust(33, b"\0")
    player = b"\0" + b"Ann".ljust(22, b"\0") + bytes(13)
    return (
        encode_srb2_packet(SERVER_INFO, info + texts + bytes(16 + 2 + 256)),
        encode_srb2_packet(PLAYER_INFO, player + (b"\xff" + bytes(35)) * 31),
    )
