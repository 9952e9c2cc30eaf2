import pytest

from browser_app.player.rate_limited_fetcher import (
    BACKOFF_S,
    MAX_REQUESTS,
    WINDOW_S,
    FetchError,
    FetchLogEntry,
    FetchRequest,
    RateLimitedFetcher,
    SkillSourceError,
)

QUESTION = FetchRequest("https://Api.Example.org:443/skill", {"who": "me"}, "skill of me", secret={"key": "S3CR3T"})


class Desk:
    """A fetcher with a fake clock, service and log."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.fetched = 0
        self.error: FetchError | None = None
        self.notes: list[FetchLogEntry] = []
        self.asking = RateLimitedFetcher(self.fetch, self.notes.append, lambda: self.now)

    def fetch(self, _question: FetchRequest) -> bytes:
        self.fetched += 1
        if self.error is not None:
            raise self.error
        return b"42"

    def ask(self, question: FetchRequest = QUESTION) -> int:
        return self.asking.fetch(question, int, lambda number: f"said {number}", lambda error: f"because {error}")


def test_result_is_parsed_and_logged() -> None:
    desk = Desk()
    assert desk.ask() == 42
    assert desk.notes == [FetchLogEntry(1000.0, "api.example.org", "skill of me", "said 42")]


def test_secret_is_in_no_text() -> None:
    desk = Desk()
    desk.ask()
    assert "S3CR3T" not in repr((QUESTION, desk.notes))


def test_errors_are_logged() -> None:
    desk = Desk()
    desk.error = FetchError("no answer")
    with pytest.raises(SkillSourceError, match="because no answer"):
        desk.ask()

    def read(body: bytes) -> int:
        raise SkillSourceError("nobody")

    desk.error = None
    with pytest.raises(SkillSourceError, match="nobody"):
        desk.asking.fetch(QUESTION, read, str)
    assert [note.result_text for note in desk.notes] == ["because no answer", "nobody"]


def test_requests_per_host_are_limited() -> None:
    desk = Desk()
    for _ in range(MAX_REQUESTS):
        desk.ask()
    desk.now += 60
    with pytest.raises(SkillSourceError, match="again in 9 minutes"):
        desk.ask()
    assert desk.fetched == len(desk.notes) == MAX_REQUESTS  # rejected requests are not logged
    desk.ask(FetchRequest("https://example.net/", {}, "other"))
    desk.now = 1000.0 + WINDOW_S - 1
    with pytest.raises(SkillSourceError, match="again in 1 minute"):
        desk.ask()
    desk.now = 1000.0 + WINDOW_S
    assert desk.ask() == 42


def test_too_many_requests_pauses_an_hour() -> None:
    desk = Desk()
    desk.error = FetchError("too often", 429)
    with pytest.raises(SkillSourceError, match="because"):
        desk.ask()
    desk.error = None
    desk.now += BACKOFF_S - 1
    with pytest.raises(SkillSourceError, match="again in 1 minute"):
        desk.ask()
    desk.now += 1
    assert desk.ask() == 42


def test_clock_set_back_does_not_block() -> None:
    desk = Desk()
    desk.now = 5_000_000.0
    for _ in range(MAX_REQUESTS):
        desk.ask()
    desk.now = 1000.0
    assert desk.ask() == 42
