"""The lobby of Warzone 2100: both of its lists, other versions, what is no list."""

import struct
from collections.abc import Iterator

import pytest

from browser_app.catalogue.reply_readers.warzone_server_info import read_warzone_list
from browser_app.catalogue.server_info import DescribedServer
from browser_app.games import load_games
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.master_lists.warzone_list import (
    FIRST_LIST_IS_SHORT,
    GAME,
    LOBBY_REQUEST,
    MAX_GAMES,
)

NO_GAMES = GameRegistry([])


def game(name: bytes = b"Rig", host: bytes = b"192.0.2.7", structure: int = 4, private: int = 1) -> bytes:
    return GAME.pack(
        structure, name, host, 4, 2, 14, 1 << 16 | 3, 0, 0, b"", b"", b"Extra", 2101, b"Sk-Rush", b"Ann", b"4.5.5",
        b"mod one", 0x4000, 79, private, 0, 0, 7, 0, 0, 0,
    )  # fmt: skip


def counted(*games: bytes) -> bytes:
    return struct.pack("!I", len(games)) + b"".join(games)


def answer(*games: bytes, rest: bytes = b"") -> bytes:
    return counted(*games) + struct.pack("!II", 200, 5) + b"Hello" + rest


def read(*chunks: bytes) -> list[DescribedServer | None]:
    return list(read_warzone_list(chunks, NO_GAMES))


def names(*chunks: bytes) -> list[str | None]:
    return [None if server is None else server.info.name for server in read(*chunks)]


def test_game_becomes_server() -> None:
    assert LOBBY_REQUEST == b"list\0"
    data = answer(game())
    ((server,),) = [read_warzone_list([data[:7], data[7:500], data[500:]], load_games(resource_folder() / "games"))]
    assert server is not None
    assert (server.target.address, server.target.protocol) == (Address("192.0.2.7", 2101), "listed")
    info = server.info
    assert (server.target.game, info.game, info.name, info.map) == ("warzone2100", "warzone2100", "Rig", "Sk-Rush")
    assert (info.players, info.spectators, info.max_players, info.bots) == (2, 1, 4, None)
    assert (info.version, info.password, info.joinable, info.closed, info.mode) == ("4.5.5", True, None, None, None)
    assert dict(info.rules or {}) == {"host": "Ann", "mods": "mod one"}


def test_name_is_cleaned() -> None:
    assert names(answer(game("Rïg\n\u202e x".encode()), game(b"R\xefg\0junk"))) == ["Rïg x", "Rïg"]


def test_short_list_is_replaced_by_second() -> None:
    """Old versions of the game stop at the eleventh."""
    parameter = struct.pack("!I", FIRST_LIST_IS_SHORT)
    assert names(answer(game(b"a"), rest=parameter + counted(game(b"a"), game(b"b")))) == ["a", "b"]
    assert names(answer(game(b"a"), rest=parameter + counted(game(b"b")))) == ["b"]


@pytest.mark.parametrize("rest", [b"", b"\0", bytes(4), bytes(6), bytes(8)])
def test_only_list_is_whole(rest: bytes) -> None:
    assert names(answer(game(b"a"), rest=rest)) == ["a"]


def test_second_list_continues_first() -> None:
    assert names(answer(game(b"a"), rest=bytes(4) + counted(game(b"b")))) == ["a", "b"]


def test_end_is_not_waited_for() -> None:
    def chunks() -> Iterator[bytes]:
        yield answer(game(b"a"), rest=struct.pack("!I", FIRST_LIST_IS_SHORT) + counted(game(b"b")))
        pytest.fail("the list has ended")

    assert [server and server.info.name for server in read_warzone_list(chunks(), NO_GAMES)] == ["b"]


def test_games_without_address_or_of_other_structure_list_nothing() -> None:
    assert read(answer(game(host=b""), game(host=b"?"), game(structure=3))) == [None, None, None]
    assert read(answer()) == []


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (b"", "incomplete"),
        (b"\0\0", "incomplete"),
        (counted(game())[:-1], "incomplete"),
        (counted(game()), "incomplete"),
        (answer(game())[:-1], "incomplete"),
        (answer(rest=struct.pack("!I", FIRST_LIST_IS_SHORT)), "incomplete"),
        (b"<html></html>", "not a list"),
        (struct.pack("!I", MAX_GAMES + 1), "not a list"),
        (struct.pack("!III", 0, 200, 1 << 20), "not a list"),
    ],
)
def test_other_streams_are_reported(stream: bytes, reason: str) -> None:
    with pytest.raises(DescribedListError, match=reason):
        read(stream)
