"""The pinned packages: complete, for every system, from any index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = ("requirements.txt", "requirements-dev.txt", "requirements-build.txt")


def pins(name: str) -> dict[str, str]:
    """Version by package of a requirements file."""
    text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))


def wanted(*groups: str) -> list[Requirement]:
    """What pyproject.toml asks for."""
    lists = [PROJECT["project"]["dependencies"], *(PROJECT["dependency-groups"][group] for group in groups)]
    return [Requirement(line) for lines in lists for line in lines]


@pytest.mark.parametrize("name", FILES)
def test_every_package_has_hashes(name: str) -> None:
    text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=[\w.-]+==)", text)[1:]:
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


@pytest.mark.parametrize("name", FILES)
def test_no_index_is_named(name: str) -> None:
    lines = (ROOT / "packaging" / name).read_text(encoding="utf-8").splitlines()
    pattern = r"#.*|\s*|[\w.-]+==[\w.]+( ; [^/]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?"
    assert [line for line in lines if not re.fullmatch(pattern, line)] == []
    assert not [line for line in lines if "://" in line]


@pytest.mark.parametrize(
    ("name", "groups"),
    [(FILES[0], ["build"]), (FILES[1], ["build", "dev"]), (FILES[2], ["build", "package"])],
)
def test_pins_are_in_bounds(name: str, groups: list[str]) -> None:
    pinned = pins(name)
    for requirement in wanted(*groups):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), requirement


@pytest.mark.parametrize("name", FILES[1:])
def test_environments_share_pins(name: str) -> None:
    assert pins("requirements.txt").items() <= pins(name).items()
