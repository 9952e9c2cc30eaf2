import pytest

from browser_app.player.rate_limited_fetcher import (
    BACKOFF_S,
    MAX_REQUESTS,
    WINDOW_S,
    FetchError,
    FetchRequest,
    RateLimitedFetcher,
    SkillSourceError,
)
from browser_app.storage.own_skill.skill_sample_store import LoggedRequest

REQUEST = FetchRequest("https://Api.Example.org:443/skill", {"who": "me"}, "skill of me", secret={"key": "S3CR3T"})


class FetcherFixture:
    """A fetcher with a fake clock, service and log."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.fetch_count = 0
        self.error: FetchError | None = None
        self.log: list[LoggedRequest] = []
        self.fetcher = RateLimitedFetcher(
            self.fetch, lambda *entry: self.log.append(LoggedRequest(*entry)), lambda: self.now
        )

    def fetch(self, _request: FetchRequest) -> bytes:
        self.fetch_count += 1
        if self.error is not None:
            raise self.error
        return b"42"

    def send(self, request: FetchRequest = REQUEST) -> int:
        return self.fetcher.fetch(request, int, lambda number: f"result {number}", lambda error: f"because {error}")


def test_result_is_parsed_and_logged() -> None:
    fixture = FetcherFixture()
    assert fixture.send() == 42
    assert fixture.log == [LoggedRequest(1000.0, "api.example.org", "skill of me", "result 42")]


def test_secret_is_in_no_text() -> None:
    fixture = FetcherFixture()
    fixture.send()
    assert "S3CR3T" not in repr((REQUEST, fixture.log))


def test_errors_are_logged() -> None:
    fixture = FetcherFixture()
    fixture.error = FetchError("no answer")
    with pytest.raises(SkillSourceError, match="because no answer"):
        fixture.send()

    def read(body: bytes) -> int:
        raise SkillSourceError("nobody")

    fixture.error = None
    with pytest.raises(SkillSourceError, match="nobody"):
        fixture.fetcher.fetch(REQUEST, read, str)
    assert [entry.answer for entry in fixture.log] == ["because no answer", "nobody"]


def test_requests_per_host_are_limited() -> None:
    fixture = FetcherFixture()
    for _ in range(MAX_REQUESTS):
        fixture.send()
    fixture.now += 60
    with pytest.raises(SkillSourceError, match="again in 9 minutes"):
        fixture.send()
    assert fixture.fetch_count == len(fixture.log) == MAX_REQUESTS  # rejected requests are not logged
    fixture.send(FetchRequest("https://example.net/", {}, "other"))
    fixture.now = 1000.0 + WINDOW_S - 1
    with pytest.raises(SkillSourceError, match="again in 1 minute"):
        fixture.send()
    fixture.now = 1000.0 + WINDOW_S
    assert fixture.send() == 42


def test_too_many_requests_pause_an_hour() -> None:
    fixture = FetcherFixture()
    fixture.error = FetchError("too often", 429)
    with pytest.raises(SkillSourceError, match="because"):
        fixture.send()
    fixture.error = None
    fixture.now += BACKOFF_S - 1
    with pytest.raises(SkillSourceError, match="again in 1 minute"):
        fixture.send()
    fixture.now += 1
    assert fixture.send() == 42


def test_clock_set_back_does_not_block() -> None:
    fixture = FetcherFixture()
    fixture.now = 5_000_000.0
    for _ in range(MAX_REQUESTS):
        fixture.send()
    fixture.now = 1000.0
    assert fixture.send() == 42
