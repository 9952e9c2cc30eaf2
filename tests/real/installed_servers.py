"""How each real game server of Debian and npm is started on loopback.

None announces itself to anybody. Each writes what it tells about packets to its output, where it can.
"""

import socket
from pathlib import Path

import pytest
from free_ports import free_port
from game_servers import Probe, ServerStart, npm_packages, program, unpacked_program
from quakeworld_files import write_world

from browser_app.protocols import armagetron, bzflag, supertuxkart
from browser_app.protocols.doom import chocolate_doom as chocolate_doom_protocol
from browser_app.protocols.luanti import PROTOCOL_ID, build_luanti_ping
from browser_app.protocols.minecraft.bedrock import BedrockSession
from browser_app.protocols.minecraft.java import encode_java_status_request
from browser_app.protocols.quake.quakeworld import STATUS_REQUEST
from browser_app.protocols.teeworlds import teeworlds06, teeworlds07

HERE = Path(__file__).resolve().parent


def openarena(_home: Path) -> ServerStart:
    """OpenArena with a bot; its log names each query."""
    port = free_port()
    settings = f"+set dedicated 1 +set net_ip 127.0.0.1 +set net_port {port} +set sv_maxclients 16 +set developer 1"
    command = [program("openarena-server", "openarena-server"), *settings.split(), "+map", "oa_dm1", "+addbot", "sarge"]
    return ServerStart(command, port)


def nexuiz(_home: Path) -> ServerStart:
    """Nexuiz without players; its log shows each datagram."""
    port = free_port()
    settings = f"-port {port} +net_address 127.0.0.1 +sv_public 0 +maxplayers 12 +developer 100 +developer_networking 1"
    command = [program("nexuiz-server", "nexuiz-server"), *settings.split(), "+map", "aggressor"]
    return ServerStart(command, port)


TEEWORLDS_SETTINGS = (
    "bindaddr 127.0.0.1",
    "sv_register 0",
    "sv_map dm1",
    "sv_name Rïg",
    "password secret",
    "dbg_lognetwork",
)


def ddnet(_home: Path) -> ServerStart:
    """DDNet without players; it records the datagrams that it gets."""
    port = free_port()
    command = [program("DDNet-Server", "ddnet-server"), f"sv_port {port}", "sv_ipv4only 1", *TEEWORLDS_SETTINGS]
    return ServerStart(command, port, Probe(teeworlds06.build_info_request_06(0x123456), teeworlds06.EXTENDED_INFO))


def teeworlds(_home: Path) -> ServerStart:
    """Teeworlds without players; it records the datagrams that it gets."""
    port = free_port()
    command = [program("teeworlds-server", "teeworlds-server"), f"sv_port {port}", *TEEWORLDS_SETTINGS]
    return ServerStart(command, port, Probe(teeworlds07.build_token_request(b"ABCD"), b"ABCD\x05"))


def luanti(home: Path) -> ServerStart:
    """Luanti without players; its log shows each datagram."""
    port = free_port()
    command = [program("minetestserver", "minetest-server"), "--config", str(home / "luanti.conf")]
    command += ["--world", str(home / "world"), "--gameid", "minetest", "--port", str(port), "--trace"]
    settings = "bind_address = 127.0.0.1\nserver_announce = false\n"
    return ServerStart(command, port, Probe(build_luanti_ping(), PROTOCOL_ID), {"luanti.conf": settings})


def sauerbraten(home: Path) -> ServerStart:
    """Sauerbraten without players; it answers on the port after the game's."""
    port = free_port()
    options = [f"-q{home}", "-i127.0.0.1", f"-j{port}", "-m", "-nRig \f2Sauer", "-c16"]  # -m: no master
    command = [program("cube2-server", "cube2-server"), *options]
    return ServerStart(command, port + 1, Probe(b"\x01ready", b"\x01ready"))


RED_ECLIPSE_SETTINGS = """\
serverlanport 0
sv_serverdesc "Rig \f[0xFF0000]Eclipse"
sv_serverclients 12
sv_serverspectators 4
sv_defaultmap "castle"
sv_defaultmode 3
sv_rotatemode 0
"""


def red_eclipse(_home: Path) -> ServerStart:
    """Red Eclipse without players; it answers on the port after the game's.

    It checks that its data is there by two files, and reads no more of it.
    """
    port = free_port()
    options = ["-h.", "-ss1", "-sm", "-si127.0.0.1", f"-sp{port}"]  # -ss1, -sm: no master
    files = {"servinit.cfg": RED_ECLIPSE_SETTINGS, "config/version.cfg": "// none\n", "maps/readme.txt": "\n"}
    command = [unpacked_program("redeclipse-server"), *options]
    return ServerStart(command, port + 1, Probe(b"\x01ready", b"\x01ready"), files)


OPENTTD_SETTINGS = """\
[network]
server_game_type = local
use_relay_service = never
server_name = Rïg
max_clients = 12
"""


def openttd(_home: Path) -> ServerStart:
    """OpenTTD without players, over TCP; its log names each connection."""
    port = free_port()
    command = [program("openttd", "openttd"), "-c", "settings.cfg", "-D", f"127.0.0.1:{port}"]
    command += ["-s", "null", "-m", "null", "-x", "-d", "net=4"]
    is_ready = Probe(b"\3\0\7", b"13.0", socket.SOCK_STREAM)
    return ServerStart(command, port, is_ready, {"settings.cfg": OPENTTD_SETTINGS})


SUPERTUXKART_SETTINGS = """\
<?xml version="1.0" encoding="utf-8"?>
<server-config version="6">
    <server-name value="Rig Karts" />
    <server-port value="{port}" />
    <server-mode value="3" />
    <server-difficulty value="2" />
    <server-max-players value="7" />
    <wan-server value="false" />
    <enable-console value="false" />
</server-config>
"""


def supertuxkart_server(_home: Path) -> ServerStart:
    """SuperTuxKart without players.

    All its servers on one machine answer on the same port, on all addresses.
    """
    command = [program("supertuxkart", "supertuxkart"), "--server-config=server.xml", "--no-graphics"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.bind(("", supertuxkart.LAN_PORT))
        except OSError:
            pytest.skip(f"another program has port {supertuxkart.LAN_PORT}")
    files = {"server.xml": SUPERTUXKART_SETTINGS.format(port=free_port())}
    return ServerStart(command, supertuxkart.LAN_PORT, Probe(supertuxkart.SERVER_REQUEST, b"Rig Karts"), files)


def bzflag_server(_home: Path) -> ServerStart:
    """BZFlag without players."""
    port = free_port()
    settings = f"-i 127.0.0.1 -p {port} -c -j -mp 2,4,4,0,0,3"
    return ServerStart([program("bzfs", "bzflag-server"), *settings.split()], port, Probe(bzflag.PING_REQUEST, b"BZFS"))


ARMAGETRON_SETTINGS = """\
SERVER_NAME 0xff0000Rig 0x00ff00Arma
SERVER_PORT {port}
SERVER_IP 127.0.0.1
TALK_TO_MASTER 0
SERVER_OPTIONS Rig rules
"""


def armagetron_server(_home: Path) -> ServerStart:
    """Armagetron without players."""
    port = free_port()
    command = [program("armagetronad-dedicated.real", "armagetronad-dedicated")]
    command += ["--datadir", "/usr/share/games/armagetronad", "--configdir", "/etc/armagetronad-dedicated"]
    command += ["--userdatadir", ".", "--vardir", ".", "--userconfigdir", ".", "-d"]
    is_ready = Probe(armagetron.build_armagetron_request(armagetron.SMALL_REQUEST), b"\0\x32")
    return ServerStart(command, port, is_ready, {"server_info.cfg": ARMAGETRON_SETTINGS.format(port=port)})


MUMBLE_SETTINGS = "host=127.0.0.1\nport={port}\ndatabase=mumble.sqlite\nbonjour=False\nusers=42\nuname={user}\n"


def mumble(home: Path) -> ServerStart:
    """Mumble without users."""
    port = free_port()
    user = "root"  # of the server, so that it can write where it was started; ignored for others
    command = [program("murmurd", "mumble-server"), "-fg", "-ini", str(home / "settings.ini")]
    files = {"settings.ini": MUMBLE_SETTINGS.format(port=port, user=user)}
    return ServerStart(command, port, Probe(bytes(4) + b"is-ready", b"is-ready"), files)


QUAKEWORLD_SETTINGS = (
    'hostname "R\xefg \xe2\xf2\xef\xf7\xee"', "maxclients 8", "maxspectators 4", "deathmatch 1", "teamplay 2",
    "timelimit 10",
)  # fmt: skip


def quakeworld(home: Path) -> ServerStart:
    """QuakeWorld in an empty room of our own, written beside its home folder."""
    server, port = program("mvdsv", "mvdsv"), free_port()
    data = home.with_name(f"{home.name}-data")
    write_world(data, QUAKEWORLD_SETTINGS)
    command = [server, "-basedir", str(data), "-ip", "127.0.0.1", "-port", str(port), "-game", "qw"]
    return ServerStart([*command, "+exec", "server.cfg", "+map", "room"], port, Probe(STATUS_REQUEST, b"\\map\\room"))


def chocolate_doom(_home: Path) -> ServerStart:
    """Chocolate Doom without players."""
    server, port = program("chocolate-server", "chocolate-doom"), free_port()
    command = [server, "-port", str(port), "-privateserver", "-servername", "Rig"]
    return ServerStart(command, port, Probe(chocolate_doom_protocol.QUERY, b"Rig"))


def minecraft(_home: Path) -> ServerStart:
    """flying-squid with a player, over TCP; it prints a line for each request."""
    node, folder = program("node", "npm"), npm_packages("flying-squid")
    port = free_port()
    is_ready = Probe(encode_java_status_request("127.0.0.1", port), b'"online":1', socket.SOCK_STREAM)
    return ServerStart([node, str(HERE / "minecraft_java.cjs"), str(folder), str(port)], port, is_ready)


BEDROCK_SETTINGS = "motd: §aRig Ünïcode\nmax-players: 12\ngamemode: creative\nenable-process-title: false\n"


def bedrock(_home: Path) -> ServerStart:
    """JSPrismarine without players; it prints a line for each datagram."""
    node, folder = program("node", "npm"), npm_packages("@jsprismarine/prismarine")
    port = free_port()
    is_ready = Probe(BedrockSession().build_request(b"token000"), b"MCPE;")
    command = [node, str(HERE / "minecraft_bedrock.mjs"), str(folder), str(port)]
    return ServerStart(command, port, is_ready, {"config.yaml": BEDROCK_SETTINGS})
