"""Rating systems and parameters on the command line."""

import argparse
import json
from pathlib import Path

import pytest

from browser_app.commands.arguments.command_arguments import CommandParser
from browser_app.commands.arguments.rating_arguments import (
    add_system_argument,
    add_systems_argument,
    system_from_arguments,
    systems_from_arguments,
)
from browser_app.exit_status import UsageError
from browser_app.rating.system_registry import RATING_SYSTEMS


def parse_one(*words: str) -> argparse.Namespace:
    parser = CommandParser()
    add_system_argument(parser)
    return parser.parse_args(words)


def parse_many(*words: str) -> argparse.Namespace:
    parser = CommandParser()
    add_systems_argument(parser)
    return parser.parse_args(words)


@pytest.fixture
def params(tmp_path: Path) -> Path:
    return tmp_path / "params.json"


def test_precedence_of_values_file_and_preset(params: Path) -> None:
    params.write_text('{"system": "ns2", "default": {"a": 0.25, "epsilon": 2}, "modes": {}}', encoding="utf-8")
    words = ("--system=ns2", "--preset=basic", f"--params={params}", "--param", "epsilon=3", "--param=start=-1")
    parameters = system_from_arguments(parse_one(*words)).parameters.default
    assert [parameters[name] for name in ("c", "a", "epsilon", "start", "chair")] == [1.0, 0.25, 3.0, -1.0, "no"]


def test_mode_inherits_defaults(params: Path) -> None:
    content = {"system": "elo-blog", "default": {"k_end": 50}, "modes": {"ctf": {"k_start": 70, "k_games": 4}}}
    params.write_text(json.dumps(content), encoding="utf-8")
    parameters = system_from_arguments(
        parse_one("--system=elo-blog", f"--params={params}", "--param=k_games=9")
    ).parameters
    assert [parameters.number(name, "ctf") for name in ("k_start", "k_end", "k_games")] == [70.0, 50.0, 9.0]
    assert parameters.number("k_start", "dm") == 200.0


@pytest.mark.parametrize(("text", "value"), [("-.5", -0.5), ("1.", 1.0), ("+2e-1", 0.2), (" 7 ", 7.0)])
def test_number_notations(text: str, value: float) -> None:
    system = system_from_arguments(parse_one("--system=trueskill2", f"--param=m0={text}"))
    assert system.parameters.default["m0"] == value


@pytest.mark.parametrize("text", ["0, .3, -.5", "[0, .3, -.5]", "[0.0,0.3,-0.5]"])
def test_list_notations(text: str) -> None:
    system = system_from_arguments(parse_one("--system=trueskill2", f"--param=squad_offset={text}"))
    assert system.parameters.default["squad_offset"] == (0.0, 0.3, -0.5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--param=c"], "--param: c: must be NAME=VALUE"),
        (["--param=c=fast"], "--param: c: must be a number, not 'fast'"),
        (["--param=c=NaN"], "--param: c: must be 0 to 1000000, not nan"),
        (["--param=c=1" + "0" * 5000], "--param: c: must be 0 to 1000000, not inf"),
        (["--param=c=" + "[" * 5000], f"--param: c: must be a number, not '{'[' * 5000}'"),
        (["--param=shortest=-1"], "--param: shortest: must be at least 0, not -1"),
        (["--param=epsilom=1"], "--param: epsilom: no such parameter; did you mean epsilon?"),
        (["--param=chair=maybe"], "--param: chair: must be one of yes, no, not 'maybe'"),
        (["--preset=halo5"], "--preset: halo5: unknown preset of ns2; known presets: blog, basic, in-game"),
        (["--params=nowhere.json"], "nowhere.json: No such file or directory"),
    ],
)
def test_bad_option_is_named(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as error:
        system_from_arguments(parse_one("--system=ns2", *words))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"system": "ns2",\n "default": {\n  "c": "x"}}', "3: default.c: must be a number, not 'x'"),
        ('{"system": "ns2",\n "default": {},\n "modes": {"a.b": {\n "cc": 1}}}', "4: modes.a.b.cc: no such parameter"),
        ('{"system": "ns2",\n "default": [1]}', "2: default: must be an object, not [1]"),
        ('{"system": "ns2",\n "default": {},\n "modes": {"x":\n 3}}', "4: modes.x: must be an object, not 3"),
        ('{\n "system": "elo-blog", "default": {}}', "2: system: must be ns2, not 'elo-blog'"),
        ('{"system": "ns2"}', "1: default: is missing"),
        ('{"system": "ns2",\n "default": {"c": 1,}}', "2: Expecting property name"),
        ('{"default":\n {"c": NaN}}', "2: default.c: must be 0 to 1000000, not nan"),
        (f'{{"default":\n {{"c": 1{"0" * 400}}}}}', "2: default.c: must be 0 to 1000000, not an integer of hundreds"),
        ("[]", "1: must be an object"),
        ('{"default": {"c": 1},\n "modes": {"x": {"c":\n 2}}}', "3: modes.x.c: is one for all modes"),
    ],
)
def test_bad_file_names_line(params: Path, text: str, place: str) -> None:
    params.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        system_from_arguments(parse_one("--system=ns2", f"--params={params}"))
    assert str(error.value).startswith(f"{params}:{place}")


def test_systems_take_own_values(params: Path) -> None:
    params.write_text('{"system": "ns2", "default": {"a": 0.25}}', encoding="utf-8")
    words = ("--system=ns2", "--system=elo-blog", "--system=ns2", "--preset=basic", f"--params={params}")
    ns2, elo = systems_from_arguments(parse_many(*words, "--param=k_end=30"))
    assert (ns2.name, ns2.parameters.default["a"], ns2.parameters.default["chair"]) == ("ns2", 0.25, "no")
    assert (elo.name, elo.parameters.default["k_end"]) == ("elo-blog", 30.0)
    assert [system.name for system in systems_from_arguments(parse_many())] == list(RATING_SYSTEMS)


@pytest.mark.parametrize("word", ["--param=ghost=1", "--preset=ghost"])
def test_unknown_value_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="ghost: unknown"):
        systems_from_arguments(parse_many(word))


def test_file_names_its_system(params: Path) -> None:
    params.write_text('{"default": {"c": 1}}', encoding="utf-8")
    with pytest.raises(UsageError, match=r"params\.json:1: system: is missing"):
        systems_from_arguments(parse_many(f"--params={params}"))
