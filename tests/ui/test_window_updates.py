"""News of newer versions in the status bar."""

import pytest
from fake_skill_services import Reply, running
from window_rig import OpenRoom

from browser_app.bridge import update_check
from browser_app.storage.setting_declarations import UPDATE_CHECK_URL


def test_newer_version_stays(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_check, "FIRST_CHECK_DELAY_MS", 1)
    room = open_room()
    before = room.window.status_bar.shown_texts()
    with running(lambda path, query, headers: Reply(200, b'[{"tag_name": "v99.1.0"}]')) as web:
        room.program.settings.set(UPDATE_CHECK_URL, f"{web.base}/releases")
        room.wait(lambda: any("99.1.0" in text for text in room.window.status_bar.shown_texts()))
        assert web.asked == ["/releases"]
    assert not any("99.1.0" in text for text in before)
    room.program.settings.set(UPDATE_CHECK_URL, "")
    assert not any("99.1.0" in text for text in room.window.status_bar.shown_texts())


def test_missing_page_is_reported(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_check, "FIRST_CHECK_DELAY_MS", 1)
    room = open_room()
    with running(lambda path, query, headers: Reply(404)) as web:
        room.program.settings.set(UPDATE_CHECK_URL, f"{web.base}/releases")
        room.wait(lambda: any("404" in text for text in room.window.status_bar.shown_texts()))
