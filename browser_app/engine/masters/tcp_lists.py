"""Master servers over TCP that answer one request with a list."""

from dataclasses import dataclass, field
from typing import NamedTuple

from browser_app.catalogue.reply_readers.cube2_server_info import (
    read_red_eclipse_list,
    read_sauerbraten_list,
    read_tesseract_list,
)
from browser_app.catalogue.reply_readers.openttd_server_info import read_openttd_list
from browser_app.catalogue.reply_readers.warzone_server_info import read_warzone_list
from browser_app.engine.masters.described_lists import ListReader
from browser_app.engine.masters.master_source import MasterKind, MasterSource, create_host_port_kind
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.masters.tcp_master_client import connect_master
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.cube2.cube_list import LIST_REQUEST
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.master_lists.warzone_list import LOBBY_REQUEST
from browser_app.protocols.openttd.coordinator import LISTING_REQUEST


class TcpListKind(NamedTuple):
    """A kind of masters over TCP."""

    name: str
    """First part of the scheme of its URLs."""
    request: bytes
    read: ListReader


TCP_LIST_KINDS = (
    TcpListKind("sauerbraten", LIST_REQUEST, read_sauerbraten_list),
    TcpListKind("redeclipse", LIST_REQUEST, read_red_eclipse_list),
    TcpListKind("tesseract", LIST_REQUEST, read_tesseract_list),
    TcpListKind("openttd", LISTING_REQUEST, read_openttd_list),
    TcpListKind("warzone2100", LOBBY_REQUEST, read_warzone_list),
)


@dataclass(frozen=True, slots=True)
class TcpListMaster(MasterSource):
    """A master of one of the `TCP_LIST_KINDS`."""

    address: Address
    """Its host may be a name."""
    kind: TcpListKind
    games: GameRegistry = field(compare=False)

    def poll(self, sink: TargetSink) -> None:
        """Pass the master's servers to `sink` as they arrive."""
        with sink.parsing, connect_master(self.address, sink) as connection:
            connection.send(self.kind.request)
            try:
                sink.add_entries(self.kind.read(connection.receive(), self.games), connection.scope)
            except DescribedListError as error:
                raise RequestError(str(error)) from None


def _create_kind(kind: TcpListKind) -> MasterKind:
    return create_host_port_kind(
        f"{kind.name}+tcp", lambda url, address, games: TcpListMaster(url, address, kind, games)
    )


TCP_LISTS = tuple(map(_create_kind, TCP_LIST_KINDS))
"""One `MasterKind` for each row."""
