"""News of newer versions in the status bar."""

import pytest
from fake_skill_services import Reply, run_service
from window_helpers import OpenApp

from browser_app.bridge import update_check
from browser_app.storage.setting_declarations import UPDATE_CHECK_URL


def test_newer_version_stays(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_check, "FIRST_CHECK_DELAY_MS", 1)
    app = open_app()
    before = app.window.status_bar.shown_texts()
    with run_service(lambda path, query, headers: Reply(200, b'[{"tag_name": "v99.1.0"}]')) as web:
        app.program.settings.set(UPDATE_CHECK_URL, f"{web.base}/releases")
        app.wait(lambda: any("99.1.0" in text for text in app.window.status_bar.shown_texts()))
        assert web.requests == ["/releases"]
    assert not any("99.1.0" in text for text in before)
    app.program.settings.set(UPDATE_CHECK_URL, "")
    assert not any("99.1.0" in text for text in app.window.status_bar.shown_texts())


def test_missing_page_is_reported(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_check, "FIRST_CHECK_DELAY_MS", 1)
    app = open_app()
    with run_service(lambda path, query, headers: Reply(404)) as web:
        app.program.settings.set(UPDATE_CHECK_URL, f"{web.base}/releases")
        app.wait(lambda: any("404" in text for text in app.window.status_bar.shown_texts()))
