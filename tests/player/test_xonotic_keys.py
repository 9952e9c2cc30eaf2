import os
import sys
from pathlib import Path

import pytest

from browser_app.player.xonotic_keys import FoundFingerprint, find_fingerprints, list_xonotic_key_folders

MINE = "x+Zk2Sm/Q0l9H7t1vYbN4cWfE6aJrUoPdLgTi8eBqXA="
OTHER = "Aa0/bB1+cC2ddD3eeE4ffF5ggG6hhH7iiI8jjJ9kkK0="
CA = "Xon//KssdlzGkFKdnnN4sgg8H+koTbBn5JTi37BAW1Q="


def build_key_text(fingerprint: str) -> str:
    """Public key file as DarkPlaces writes it."""
    return (
        f"ID-Fingerprint: {fingerprint}\nID-Is-Signed: yes\nID-Is-For-Key: {CA}\n\n"
        "This is a PUBLIC ID file for DarkPlaces.\nYou are free to share this file or its contents.\n\n"
        "This file will be automatically generated again if deleted.\n\n"
        "However, NEVER share the accompanying SECRET ID file called\n"
        "key_0.d0si, as doing so would compromise security!\n"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / ".xonotic"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("platform", "places"),
    [
        ("linux", [".xonotic", ".var/app/org.xonotic.Xonotic/.xonotic"]),
        ("darwin", [".xonotic", "Library/Application Support/xonotic"]),
        ("win32", ["Saved Games/xonotic", "Documents/My Games/xonotic"]),
    ],
)
def test_folders_of_each_platform(tmp_path: Path, platform: str, places: list[str]) -> None:
    assert list(list_xonotic_key_folders(platform, tmp_path, {})) == [tmp_path / place for place in places]
    for number, place in enumerate(places):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "key_0-public-fp.txt").write_text(build_key_text((MINE, OTHER)[number]))
    fingerprints = find_fingerprints(list_xonotic_key_folders(platform, tmp_path, {}))
    assert [each.fingerprint for each in fingerprints] == [MINE, OTHER]


def test_equal_keys_are_found_once(folder: Path) -> None:
    for name in ("key_0-public-fp.txt", "key_0-public-fp.2.txt"):
        (folder / name).write_text(build_key_text(MINE))
    (folder / "key_1-public-fp.txt").write_text(build_key_text(OTHER))
    fingerprints = find_fingerprints([folder, folder / "missing"])
    assert fingerprints == (
        FoundFingerprint(MINE, folder / "key_0-public-fp.2.txt"),
        FoundFingerprint(OTHER, folder / "key_1-public-fp.txt"),
    )


class OpenedFiles:
    """Records the files that this process opens while it is active."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._listening = False
        sys.addaudithook(self._on_event)  # stays until the process ends, inactive outside of `with`

    def __enter__(self) -> list[str]:
        self._listening = True
        return self.names

    def __exit__(self, *_: object) -> None:
        self._listening = False

    def _on_event(self, event: str, details: tuple[object, ...]) -> None:
        if self._listening and event == "open" and not isinstance(details[0], int):  # not a handle
            self.names.append(Path(str(details[0])).name)


def test_secret_key_is_never_opened(folder: Path) -> None:
    secret = folder / "key_0.d0si"
    secret.write_text(build_key_text(OTHER))
    secret.chmod(0)  # reading it would also fail
    (folder / "key_0-public-fp.txt").write_text(build_key_text(MINE))
    (folder / "key_0.d0si-public-fp.txt").write_text(build_key_text(OTHER))
    (folder / "key_0-public-fp.d0si").write_text(build_key_text(OTHER))
    with OpenedFiles() as opened:
        assert [each.fingerprint for each in find_fingerprints([folder])] == [MINE]
    assert opened == ["key_0-public-fp.txt"]


@pytest.mark.posix
def test_link_to_secret_key_is_ignored(folder: Path) -> None:
    (folder / "key_0.d0si").write_text(build_key_text(OTHER))
    (folder / "key_0-public-fp.txt").symlink_to("key_0.d0si")
    (folder / "key_1-public-fp.txt").symlink_to("key_1-public-fp.txt")
    (folder / "key_2-public-fp.txt").symlink_to("nowhere")
    with OpenedFiles() as opened:
        assert find_fingerprints([folder]) == ()
    assert opened == []


@pytest.mark.posix
def test_non_files_are_skipped(folder: Path) -> None:
    (folder / "key_0-public-fp.txt").mkdir()
    os.mkfifo(folder / "key_1-public-fp.txt")
    assert find_fingerprints([folder]) == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"ID-Fingerprint:",
        b"ID-Fingerprint: short\n",
        b"\xff\xfe\x00" * 100,
        b" " * 5000 + build_key_text(MINE).encode(),
        f"Key: {MINE}".encode(),
    ],
)
def test_other_content_has_no_fingerprint(folder: Path, body: bytes) -> None:
    (folder / "key_0-public-fp.txt").write_bytes(body)
    assert find_fingerprints([folder]) == ()
