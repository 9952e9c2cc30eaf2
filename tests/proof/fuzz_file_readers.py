"""Readers of round files and of the user's own files."""

import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from io import BufferedReader, BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import fuzz_samples as samples
from fuzz_reader import FuzzedReader, Read

from browser_app.games.profile_reader import read_profile
from browser_app.games.toml_reader import ProfileError, TOMLError, parse_toml
from browser_app.paths import resource_folder
from browser_app.player.xonotic_keys import find_fingerprints
from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.rounds.csv_rounds import guess_columns, read_table_preview
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_formats import ROUND_FORMATS
from browser_app.rounds.round_identity import convert_report, is_same_round
from browser_app.rounds.round_reader import read_source_rounds, stream_objects
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.importers.bzflag_favourites import parse_bzflag_cache
from browser_app.storage.importers.console_favourites import parse_armagetron_bookmarks, parse_own_commands
from browser_app.storage.importers.imported_server import ServerListKind, UnreadableListError
from browser_app.storage.importers.ini_favourites import (
    parse_doomseeker_servers,
    parse_odamex_launcher,
    parse_openttd_favourites,
    parse_unreal_favourites,
)
from browser_app.storage.importers.luanti_favourites import parse_luanti_json, parse_luanti_text
from browser_app.storage.importers.minecraft_servers import parse_minecraft_servers
from browser_app.storage.importers.ns2_server_lists import parse_ns2_list
from browser_app.storage.importers.quake_favourites import (
    parse_darkplaces_favourites,
    parse_ezquake_list,
    parse_ioquake3_cache,
    parse_quake2_address_book,
)
from browser_app.storage.importers.san_andreas_favourites import parse_mta_favourites, parse_samp_favourites
from browser_app.storage.importers.space_station_favourites import parse_space_station_favourites
from browser_app.storage.importers.steam_server_browser import parse_steam_server_browser
from browser_app.storage.importers.teeworlds_favourites import parse_teeworlds_favourites
from browser_app.storage.importers.vintage_story_favourites import parse_vintage_story_favourites
from browser_app.storage.settings_store import Settings, SettingsFile
from browser_app.storage.user_lists.lists_file import ListsFileError, parse_lists


def round_readers(recorded: Sequence[Path]) -> dict[str, FuzzedReader]:
    good = {
        "rounds": samples.as_json(samples.ROUND) + b"\n" + samples.as_json({**samples.ROUND, "id": "r2"}),
        "ns2plus": samples.as_json(samples.SAVESTATS),
        "ns2-match-end": samples.as_json(samples.MATCH_END),
        "wonitor": samples.WONITOR,
        "xonstat": samples.REPORT,
        "xonotic-log": samples.EVENT_LOG,
        "csv": samples.TABLE,
    }
    found = {
        f"rounds: {form}": FuzzedReader(partial(_rounds, form=form), (RoundFileError,), (good[form],), share=3)
        for form in ROUND_FORMATS
    }
    any_form = (*good.values(), *map(samples.packed, good.values()))
    any_form += samples.recorded_rounds(recorded)
    return found | {
        "rounds: recognised": FuzzedReader(partial(_rounds, form=None), (RoundFileError,), any_form, share=3),
        "rounds: rated": FuzzedReader(
            _rated, (RoundFileError, InvalidRoundError), (good["rounds"], good["xonotic-log"]), share=1
        ),
        "rounds: read twice": FuzzedReader(_read_twice, (RoundFileError,), any_form, share=3),
        "table's columns": FuzzedReader(_columns, (RoundFileError,), (samples.TABLE, b"round no,who,side\n1,ann,a\n")),
    }


def user_file_readers() -> dict[str, FuzzedReader]:
    lists = samples.as_json(samples.LISTS)
    ns2 = (b'{"192.0.2.7:27015": true}', b'[{"address": "192.0.2.7:27015", "lastConnect": 1.5, "name": "A"}]')
    profile = next(iter(sorted((resource_folder() / "games").glob("*.toml")))).read_bytes()
    config = b'seta "net_slist_favorites" "192.0.2.7:26000 [::1]:1 abc"\n'
    keys = b"ID-Fingerprint: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO12=\n"
    return {
        "exchanged lists": FuzzedReader(lambda data: parse_lists(data, 1.0), (ListsFileError,), (lists,)),
        "Steam's browser": FuzzedReader(parse_steam_server_browser, (UnreadableListError,), (samples.VDF,)),
        "NS2's lists": FuzzedReader(
            lambda data: parse_ns2_list(data, ServerListKind.PLAYED), (UnreadableListError,), ns2
        ),
        "DarkPlaces' config": FuzzedReader(parse_darkplaces_favourites, (), (config,)),
        "ioquake3's cache": FuzzedReader(
            parse_ioquake3_cache, (UnreadableListError,), (samples.ioquake3_cache(),), share=1
        ),
        **{
            name: FuzzedReader(read, (UnreadableListError,), (samples.GAME_FAVOURITES[name],))
            for name, read in (
                ("Minecraft's servers", parse_minecraft_servers),
                ("SA-MP's favourites", parse_samp_favourites),
                ("Multi Theft Auto's favourites", parse_mta_favourites),
                ("Teeworlds' favourites", parse_teeworlds_favourites),
                ("Luanti's favourites", parse_luanti_json),
                ("Luanti's old favourites", parse_luanti_text),
                ("ezQuake's lists", parse_ezquake_list),
                ("Quake II's address book", parse_quake2_address_book),
                ("Sauerbraten's servers", partial(parse_own_commands, default_port=28785)),
                ("OpenTTD's servers", parse_openttd_favourites),
                ("BZFlag's cache", parse_bzflag_cache),
                ("Armagetron's bookmarks", parse_armagetron_bookmarks),
                ("Unreal's favourites", parse_unreal_favourites),
                ("Doomseeker's servers", parse_doomseeker_servers),
                ("Odamex's launcher", parse_odamex_launcher),
                ("Vintage Story's settings", parse_vintage_story_favourites),
                ("Space Station 14's launcher", parse_space_station_favourites),
            )
        },
        "TOML": FuzzedReader(parse_toml, (TOMLError,), (samples.SETTINGS, profile)),
        "settings": FuzzedReader(_in_file("settings.toml", _settings), (), (samples.SETTINGS,), share=1),
        "game's profile": FuzzedReader(_in_file("game.toml", read_profile), (ProfileError,), (profile,), share=1),
        "Xonotic's key": FuzzedReader(_in_file("key_0-public-fp.txt", _fingerprints), (), (keys,), share=1),
    }


class MemorySource(RoundFileSource):
    """A file that is nowhere but in memory."""

    def __init__(self, content: bytes, name: str = "file") -> None:
        super().__init__(name)
        object.__setattr__(self, "content", content)

    content: bytes
    modified_at = 1_700_000_000.0

    @property
    def size(self) -> int:
        """Length of the content."""
        return len(self.content)

    def _open_raw(self) -> BufferedReader:
        return BufferedReader(BytesIO(self.content))


def _rounds(data: bytes, form: str | None) -> None:
    _drain(stream_objects(MemorySource(data), form))


def _rated(data: bytes) -> None:
    """By every system, forward, with all that is said of each round."""
    record = build_record([match for _, match in read_source_rounds(MemorySource(data))])
    for name in RATING_SYSTEMS:
        for step in ForwardPass(create_rating_system(name).new_run(record)).rate_rounds(len(record)):
            assert all(0 <= chance <= 1 for chance in step.prediction.first_place)
            assert all(math.isfinite(rating.value) for rating in step.after)


def _read_twice(data: bytes) -> None:
    reports = [convert_report(each) for _, each in stream_objects(MemorySource(data))]
    assert all(is_same_round(one, other) == is_same_round(other, one) for one, other in combinations(reports[:5], 2))


def _columns(data: bytes) -> None:
    head = read_table_preview(MemorySource(data))
    if head is not None:
        assert set(guess_columns(head.columns).values()) <= set(head.columns)


def _drain(rounds: Iterator[Any]) -> None:
    for _ in rounds:
        pass


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="ready-room-fuzz-")


def _in_file(name: str, read: Callable[[Path], object]) -> Read:
    """A reader that wants a path."""

    def read_file(data: bytes) -> None:
        path = Path(_folder().name) / name
        path.write_bytes(data)
        read(path)

    return read_file


def _settings(path: Path) -> None:
    Settings(path.parent)
    SettingsFile(path).format_location("scan.pace")


def _fingerprints(path: Path) -> Sequence[object]:
    return find_fingerprints([path.parent])
