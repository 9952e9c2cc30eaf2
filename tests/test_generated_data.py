"""Generated files of `tests/data`: up to date, small, of the right format."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from recorded_data import OWN, data_folders

from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource

pytestmark = pytest.mark.slow

DATA = data_folders()[OWN]
NOT_GENERATED = {
    *("README.md", "make_packets.py", "make_rounds.py", "record_packets.py"),
    *("packets/quake3.jsonl", "iana_special_purpose.csv"),
}
LARGEST_BYTES = 600_000


def read_files(folder: Path) -> dict[str, bytes]:
    """Return all files uncompressed, since versions of zlib compress differently."""
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {
        path.relative_to(folder).as_posix(): gzip.decompress(path.read_bytes())
        if path.suffix == ".gz"
        else path.read_bytes()
        for path in files
    }


def test_files_equal_output_of_generators(tmp_path: Path) -> None:
    for generator in ("make_packets.py", "make_rounds.py"):
        subprocess.run([sys.executable, str(DATA / generator), "--folder", str(tmp_path)], check=True, timeout=120)
    present, written = read_files(DATA), read_files(tmp_path)
    generated = {
        name for name in present.keys() - NOT_GENERATED if not name.startswith("families/")
    }  # these are recorded
    assert generated == written.keys()
    assert [name for name, content in written.items() if present[name] != content] == []


def test_data_is_small() -> None:
    files = [path for path in DATA.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
    assert sum(path.stat().st_size for path in files) < LARGEST_BYTES


@pytest.mark.parametrize(
    ("file", "file_format", "rounds", "players"),
    [
        ("season.jsonl.gz", "rounds", 1200, 9600),
        ("league.csv", "csv", 20, 160),
        ("ns2_match_end.json", "ns2-match-end", 1, 10),
        ("wonitor_posts.txt", "wonitor", 4, 24),
    ],
)
def test_round_files(file: str, file_format: str, rounds: int, players: int) -> None:
    source = RoundFileSource(str(DATA / "rounds" / file))
    assert recognise_format(source) == file_format
    game_rounds = [each for _, each in stream_objects(source)]
    assert (len(game_rounds), sum(len(each["players"]) for each in game_rounds)) == (rounds, players)


def test_table_has_seasons_rounds() -> None:
    season, table = (
        [each for _, each in stream_objects(RoundFileSource(str(DATA / "rounds" / file)))]
        for file in ("season.jsonl.gz", "league.csv")
    )
    for season_round, table_round in zip(season[: len(table)], table, strict=True):
        assert {key: table_round[key] for key in ("id", "map", "mode", "started", "duration", "winner")} == {
            key: season_round[key] for key in ("id", "map", "mode", "started", "duration", "winner")
        }
        assert {player["id"]: (player["kills"], player["deaths"]) for player in table_round["players"]} == {
            player["id"]: (player["kills"], player["deaths"]) for player in season_round["players"]
        }
