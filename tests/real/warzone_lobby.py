"""A lobby of Warzone 2100 on loopback, at which a real host announces its game."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.warzone_list import GAME, LOBBY_REQUEST

ASK_FOR_ID, ANNOUNCE = b"gaId\0", b"addg\0"
_HOST_START = 4 + 64 + 8
"""Of the address in the structure, which lobbies fill in."""
_ACCEPTED = (200).to_bytes(4, "big") + (7).to_bytes(4, "big") + b"Welcome"


class WarzoneLobby(socketserver.ThreadingTCPServer):
    """Keeps the last game that was announced, and lists it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.was_announced = threading.Event()
        self.game = b""

    @property
    def address(self) -> Address:
        """Where it listens."""
        return Address(*self.socket.getsockname())


class _Handler(socketserver.StreamRequestHandler):
    server: WarzoneLobby

    def handle(self) -> None:
        """Answer one host or client."""
        while command := self.rfile.read(len(LOBBY_REQUEST)):
            if command == LOBBY_REQUEST:
                games = [self.server.game] if self.server.game else []
                self.wfile.write(len(games).to_bytes(4, "big") + b"".join(games) + _ACCEPTED)
                return
            if command == ASK_FOR_ID:
                self.wfile.write((1234).to_bytes(4, "big"))
            if command == ANNOUNCE:
                host, game = self.client_address[0].encode(), bytearray(self.rfile.read(GAME.size))
                game[_HOST_START : _HOST_START + len(host)] = host
                self.server.game = bytes(game)
                self.wfile.write(_ACCEPTED)
                self.server.was_announced.set()


@contextmanager
def warzone_lobby() -> Iterator[WarzoneLobby]:
    """Run a lobby; hosts must have left it at the end."""
    with WarzoneLobby() as lobby:
        thread = threading.Thread(target=lobby.serve_forever, args=(0.05,), name="lobby")
        thread.start()
        try:
            yield lobby
        finally:
            lobby.shutdown()
            thread.join()
