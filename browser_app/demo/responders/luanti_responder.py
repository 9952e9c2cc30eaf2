"""Luanti replies of a demo server."""

import itertools
from collections.abc import Sequence
from typing import Final

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols.luanti import PROTOCOL_ID, build_luanti_ping
from browser_app.protocols.query_session import PacketError

_FROM_SERVER = b"\x00\x01\x00"
"""Peer ID of the server, and the channel."""
_RELIABLE: Final = b"\x03\xff\xdc"
"""Kind of packet, and the sequence number, as the first one of a real server."""
_SET_PEER_ID = b"\x00\x01"
_DISCONNECT = b"\x00\x00\x03"
"""Channel, then a control packet."""
_FIRST_PEER_ID = 2
_MAX_PEERS = 1024


class LuantiResponder(GameResponder):
    """Assigns a peer ID to whoever sends an empty packet, until that peer disconnects.

    Real servers repeat this greeting until then, for half a minute.
    """

    def __init__(self, context: ResponderContext) -> None:
        super().__init__(context)
        self.connected_peers: set[bytes] = set()
        """IDs of the peers that have not disconnected."""
        self._peer_ids = itertools.cycle(range(_FIRST_PEER_ID, 1 << 16))

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a packet (see `ServerResponder`)."""
        if request.data == build_luanti_ping() and len(self.connected_peers) < _MAX_PEERS:
            peer_id = next(self._peer_ids).to_bytes(2, "big")
            self.connected_peers.add(peer_id)
            return (PROTOCOL_ID + _FROM_SERVER + _RELIABLE + _SET_PEER_ID + peer_id,)
        if request.data.startswith(PROTOCOL_ID) and request.data[6:] == _DISCONNECT:
            self.connected_peers.discard(request.data[4:6])
            return ()
        raise PacketError("not this protocol")
