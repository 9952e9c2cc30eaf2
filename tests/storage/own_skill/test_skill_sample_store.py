"""Identities, skill samples, watched folders, request log and ratings cache."""

from browser_app.storage.database import Database
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import WatchedFile, WatchedFolderStore
from browser_app.storage.own_skill.skill_sample_store import (
    MAX_LOGGED_REQUESTS,
    IdentityStore,
    LoggedRequest,
    RequestLog,
    SkillSample,
    SkillSampleStore,
    StoredIdentity,
)


def test_identities_are_ordered(database: Database) -> None:
    steam = StoredIdentity("ns2", "steam", "76561197960265729")
    name, key = StoredIdentity("ns2", "name", "An*"), StoredIdentity("xonotic", "xonotic", "abc=")
    identities = IdentityStore(database)
    for each in (steam, key, name):
        added = identities.add(each)
        assert added is not None
        added.result()
    assert identities.add(steam) is None
    identities.remove(key).result()
    for store in (identities, IdentityStore(database)):
        assert list(store) == [steam, name]
        assert store.find_identities("ns2") == (steam, name)
        assert store.find_identities("xonotic") == ()
        assert len(store) == 2


def test_unchanged_adds_no_row(database: Database) -> None:
    samples = SkillSampleStore(database)
    for time, points in ((10.0, 1600), (20.0, 1600), (30.0, 1640), (40.0, 1600), (50.0, 1600)):
        samples.add("steam", "ns2", "me", time, {"points": points, "offset": None})
    samples.add("steam", "ns2", "other", 60.0, {"points": 1600})
    samples.add("xonstat", "xonotic", "key", 70.0, {"duel": [1500.0, 80.0]}).result()

    def build_sample(since: float, until: float, points: int) -> SkillSample:
        return SkillSample("steam", "ns2", "me", since, until, {"points": points, "offset": None})

    loaded = samples.load_samples("steam", "ns2")
    assert loaded[:3] == [build_sample(10, 20, 1600), build_sample(30, 30, 1640), build_sample(40, 50, 1600)]
    assert [each.identity for each in loaded[3:]] == ["other"]
    assert samples.load_samples("xonstat", "ns2") == []
    assert samples.load_latest_samples("steam", "ns2") == {"me": loaded[2], "other": loaded[3]}
    samples.remove("steam").result()
    assert samples.load_samples("steam", "ns2") == []
    assert [each.values for each in samples.load_samples("xonstat", "xonotic")] == [{"duel": [1500.0, 80.0]}]


def test_wrong_clock_hides_no_later_sample(database: Database) -> None:
    samples = SkillSampleStore(database)
    for time, points in ((10.0, 1600), (9e8, 1700), (20.0, 1800), (30.0, 1800)):
        samples.add("steam", "ns2", "me", time, {"points": points}).result()
    assert samples.load_latest_samples("steam", "ns2")["me"].values == {"points": 1800}
    assert len(samples.load_samples("steam", "ns2")) == 3


def test_watched_folders_and_files(database: Database) -> None:
    folders = WatchedFolderStore(database)
    for folder in ("/b", "/a"):
        folders.add(folder)
    assert folders.add("/b") is None
    bad = WatchedFile("/b/2.json", 7, 6, "/b/2.json:1: is not JSON")
    folders.add_seen_files([WatchedFile("/b/1.json", 100, 5), bad])
    folders.add_seen_files([WatchedFile("/b/1.json", 120, 9)]).result()
    again = WatchedFolderStore(database)
    assert list(folders) == list(again) == ["/b", "/a"]
    assert again.load_seen_files() == {
        "/b/1.json": WatchedFile("/b/1.json", 120, 9),
        "/b/2.json": WatchedFile("/b/2.json", 7, 6, "/b/2.json:1: is not JSON"),
    }
    folders.remove("/b").result()
    assert list(WatchedFolderStore(database)) == list(folders) == ["/a"]
    assert len(folders) == 1


def test_query_log_keeps_newest(database: Database) -> None:
    log = RequestLog(database)
    for number in range(MAX_LOGGED_REQUESTS + 5):
        log.add(LoggedRequest(float(number), "stats.xonotic.org", "my skill", "answered"))
    database.flush()
    assert log.load_newest(2) == [
        LoggedRequest(float(MAX_LOGGED_REQUESTS + 4 - back), "stats.xonotic.org", "my skill", "answered")
        for back in (0, 1)
    ]
    assert [each.time for each in (log.load_newest()[0], log.load_newest()[-1])] == [MAX_LOGGED_REQUESTS + 4.0, 5.0]
    assert len(log.load_newest()) == MAX_LOGGED_REQUESTS


def test_cache_replaces_values(database: Database) -> None:
    cache = RatingsCache(database)
    cache.set("ns2/ns2", b"one")
    cache.set("ns2/ns2x", b"neighbour")
    cache.set("ns2/ns2", b"two").result()
    assert [cache.get(key) for key in ("ns2/ns2", "ns2/ns2x", "ns2")] == [b"two", b"neighbour", None]
