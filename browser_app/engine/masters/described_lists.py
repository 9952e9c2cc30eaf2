"""Lists on the web in the formats of single games; most describe their servers.

The HTTP client is imported by the first poll: importing it takes a fifth of the program's start-up time.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple
from urllib.parse import SplitResult

from browser_app.catalogue.reply_readers.bzflag_server_info import read_bzflag_list
from browser_app.catalogue.reply_readers.cube2_server_info import read_assault_cube_list
from browser_app.catalogue.reply_readers.listed_server_info import (
    read_beammp_list,
    read_northstar_list,
    read_openra_list,
    read_vintage_story_list,
)
from browser_app.catalogue.reply_readers.luanti_server_info import read_luanti_list
from browser_app.catalogue.reply_readers.mindustry_server_info import read_mindustry_list
from browser_app.catalogue.reply_readers.mumble_server_info import read_mumble_list
from browser_app.catalogue.reply_readers.quakeworld_server_info import read_quake2_list
from browser_app.catalogue.reply_readers.san_andreas_server_info import (
    read_mta_list,
    read_openmp_list,
    read_vcmp_list,
)
from browser_app.catalogue.reply_readers.space_station_server_info import read_space_station_list
from browser_app.catalogue.reply_readers.srb2_server_info import read_srb2_list
from browser_app.catalogue.reply_readers.supertuxkart_server_info import read_supertuxkart_list
from browser_app.catalogue.reply_readers.teeworlds_server_info import read_teeworlds_list
from browser_app.engine.masters.master_source import MasterKind, MasterSource, parse_url_host
from browser_app.engine.masters.target_sink import ListEntry, TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.request_errors import RequestError
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.master_lists.described_list import DescribedListError

_MAX_LIST_BYTES = 16 << 20
"""The largest list known, DDNet's, has some 2 MiB."""

ListReader = Callable[[Iterable[bytes], GameRegistry], Iterator[ListEntry]]
"""Reads a list while it arrives; yields None for an entry without a server.

Raises:
    DescribedListError: the document is no such list.
"""


class ListFormat(NamedTuple):
    """A format of lists."""

    name: str
    """First part of the scheme of its URLs."""
    read: ListReader
    mirrors: tuple[str, ...] = ()
    """Hosts with the same list: if one of them fails, the next is polled."""
    is_markup: bool = False
    """In XML: a document that begins with `<` is no error page."""


LIST_FORMATS = (
    ListFormat("ddnet", read_teeworlds_list, tuple(f"master{number}.ddnet.org" for number in range(1, 5))),
    ListFormat("luanti", read_luanti_list),
    ListFormat("openmp", read_openmp_list),
    ListFormat("mta", read_mta_list),
    ListFormat("vcmp", read_vcmp_list),
    ListFormat("assaultcube", read_assault_cube_list),
    ListFormat("bzflag", read_bzflag_list),
    ListFormat("supertuxkart", read_supertuxkart_list, is_markup=True),
    ListFormat("mumble", read_mumble_list, is_markup=True),
    ListFormat("quake2", read_quake2_list),
    ListFormat("ss14", read_space_station_list, ("hub.spacestation14.com", "hub.fallback.spacestation14.com")),
    ListFormat("openra", read_openra_list),
    ListFormat("beammp", read_beammp_list),
    ListFormat("vintagestory", read_vintage_story_list),
    ListFormat("northstar", read_northstar_list),
    ListFormat("mindustry", read_mindustry_list),
    *(ListFormat(game, partial(read_srb2_list, game=game)) for game in ("srb2", "srb2kart", "ringracers")),
)


@dataclass(frozen=True, slots=True)
class DescribedListMaster(MasterSource):
    """A list in one of the `LIST_FORMATS`."""

    locations: tuple[str, ...]
    """`https://…` or `http://…`, the given one and its mirrors; may contain a key."""
    list_format: ListFormat
    games: GameRegistry = field(compare=False)

    def poll(self, sink: TargetSink) -> None:
        """Pass the servers of the list to `sink`, with their descriptions.

        A mirror is polled if there was no server so far.
        """
        *others, last = self.locations
        for location in others:
            try:
                self._poll_one(location, sink)
            except RequestError:
                if sink.count or sink.cancel_token.is_cancelled:
                    raise
            else:
                return
        self._poll_one(last, sink)

    def _poll_one(self, location: str, sink: TargetSink) -> None:
        from browser_app.engine.network.http_client import read_document

        def read(chunks: Iterator[bytes], scope: NetworkScope) -> None:
            try:
                sink.add_entries(self.list_format.read(chunks, self.games), scope)
            except DescribedListError as error:
                raise RequestError(str(error)) from None

        with sink.parsing:
            read_document(
                location,
                sink.cancel_token,
                read,
                max_bytes=_MAX_LIST_BYTES,
                host_budget=sink.context.host_budget,
                turn=sink.parsing,
                allows_markup=self.list_format.is_markup,
            )


def _create_kind(list_format: ListFormat) -> MasterKind:
    def parse(url: str, games: GameRegistry) -> DescribedListMaster:
        host = parse_url_host(url)
        location = url.removeprefix(f"{list_format.name}+")
        return DescribedListMaster(
            redact_url(url), tuple(_iterate_mirrors(location, host, list_format.mirrors)), list_format, games
        )

    return MasterKind(
        (f"{list_format.name}+https://HOST/PATH", f"{list_format.name}+http://HOST/PATH"), _has_host, parse
    )


def _iterate_mirrors(location: str, host: str, mirrors: tuple[str, ...]) -> Iterator[str]:
    """Yield the location, then the same path on the mirrors that follow its host."""
    yield location
    if host in mirrors:
        place = mirrors.index(host)
        yield from (location.replace(host, other, 1) for other in (*mirrors[place + 1 :], *mirrors[:place]))


def _has_host(parts: SplitResult) -> bool:
    return bool(parts.hostname)


DESCRIBED_LISTS = tuple(map(_create_kind, LIST_FORMATS))
"""One `MasterKind` for each format."""
