"""A player of Teeworlds 0.7 who joins a real server.

Just enough of the game's protocol to be in its player list.
"""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from timeouts import LIMIT_S
from twnet_parser.messages7.control.close import CtrlClose
from twnet_parser.messages7.control.connect import CtrlConnect
from twnet_parser.messages7.control.token import CtrlToken
from twnet_parser.messages7.game.cl_start_info import MsgClStartInfo
from twnet_parser.messages7.system.enter_game import MsgEnterGame
from twnet_parser.messages7.system.info import MsgInfo
from twnet_parser.messages7.system.ready import MsgReady
from twnet_parser.packet import parse7
from twnet_parser.packet7 import TwPacket7

from browser_app.protocols.address import Address

NET_VERSION = "0.7 802f1be60a05665f"
CLIENT_VERSION = 0x0705
NO_TOKEN = b"\xff" * 4


@contextmanager
def teeworlds_player(address: Address, name: str, clan: str, password: str = "") -> Iterator[None]:
    """Join a server, and leave it at the end."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sock:
        sock.connect(address)
        sock.settimeout(LIMIT_S)
        player = _Player(sock, name, clan, password)
        player.join()
        try:
            yield
        finally:
            player.leave()


class _Player:
    def __init__(self, sock: socket.socket, name: str, clan: str, password: str) -> None:
        self._sock, self._name, self._clan, self._password = sock, name, clan, password
        self._own_token, self._server_token = os.urandom(4), NO_TOKEN
        self._sequence = self._acknowledged = 0
        self._is_playing = False

    def join(self) -> None:
        """Answer the server's messages until it lets the player in."""
        self._send_control(CtrlToken(response_token=self._own_token))
        end = time.monotonic() + LIMIT_S
        while not self._is_playing:
            assert time.monotonic() < end
            for message in parse7(self._sock.recv(2048)).messages:
                header = getattr(message, "header", None)
                if header is not None and header.flags.vital:
                    self._acknowledged = header.seq
                self._answer(message)

    def _answer(self, message: Any) -> None:
        kind = message.message_name
        if kind == "token":
            self._server_token = message.response_token
            self._send_control(CtrlConnect(response_token=self._own_token))
        elif kind == "accept":
            info = MsgInfo()
            info.version, info.password, info.client_version = NET_VERSION, self._password, CLIENT_VERSION
            self._send(info)
        elif kind == "map_change":
            self._send(MsgReady())
        elif kind == "con_ready":
            start = MsgClStartInfo()
            start.name, start.clan = self._name, self._clan
            self._send(start)
        elif kind == "sv_ready_to_enter":
            self._send(MsgEnterGame())
            self._is_playing = True
        else:
            assert kind != "close", f"the server says {message.reason!r}"

    def leave(self) -> None:
        """Tell the server so, which then forgets the player at once."""
        self._send_control(CtrlClose())

    def _send_control(self, message: Any) -> None:
        packet = self._packet(message)
        packet.header.flags.control = True
        packet.header.num_chunks = 0
        self._sock.send(packet.pack())

    def _send(self, message: Any) -> None:
        self._sequence = (self._sequence + 1) % 1024
        message.header.flags.vital = True
        message.header.seq = self._sequence
        self._sock.send(self._packet(message).pack())

    def _packet(self, message: Any) -> TwPacket7:
        packet = TwPacket7()
        packet.header.token, packet.header.ack = self._server_token, self._acknowledged
        packet.messages.append(message)
        return packet
