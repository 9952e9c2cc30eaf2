"""Fixtures of the command tests."""

from functools import partial

import pytest
from program_runner import Program

from browser_app.application import poll_session
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.server_poll import start_poll


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def quick_timing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up silent servers soon."""
    timing = QueryTiming(waits_s=(0.1, 0.1, 0.6), late_reply_wait_s=0.1, min_follow_up_wait_s=0.4)
    monkeypatch.setattr(poll_session, "start_poll", partial(start_poll, timing=timing))
