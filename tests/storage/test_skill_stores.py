"""Who the user is, what was said of his skill, folders that are watched, what was asked, and finished ratings."""

import pytest

from browser_app.storage.asked import KEEP, AskedLog, KeptQuestion
from browser_app.storage.database import Database
from browser_app.storage.identities import Identities, KeptIdentity
from browser_app.storage.ratings_cache import RatingsCache
from browser_app.storage.skill_samples import SkillSample, SkillSamples
from browser_app.storage.watched_folders import WatchedFile, WatchedFolders


def test_identities_are_kept_in_their_order_each_once(database: Database) -> None:
    steam = KeptIdentity("ns2", "steam", "76561197960265729")
    name, key = KeptIdentity("ns2", "name", "An*"), KeptIdentity("xonotic", "xonotic", "abc=")
    identities = Identities(database)
    for each in (steam, key, name):
        added = identities.add(each)
        assert added is not None
        added.result()
    assert identities.add(steam) is None
    identities.remove(key).result()
    for kept in (identities, Identities(database)):
        assert list(kept) == [steam, name]
        assert kept.of("ns2") == (steam, name)
        assert kept.of("xonotic") == ()
        assert len(kept) == 2


def test_a_history_of_samples_grows_only_where_something_changed(database: Database) -> None:
    samples = SkillSamples(database)
    for time, points in ((10.0, 1600), (20.0, 1600), (30.0, 1640), (40.0, 1600), (50.0, 1600)):
        samples.add("steam", "ns2", "me", time, {"points": points, "offset": None})
    samples.add("steam", "ns2", "other", 60.0, {"points": 1600})
    samples.add("xonstat", "xonotic", "key", 70.0, {"duel": [1500.0, 80.0]}).result()

    def sample(since: float, until: float, points: int) -> SkillSample:
        return SkillSample("steam", "ns2", "me", since, until, {"points": points, "offset": None})

    found = samples.of("steam", "ns2")
    assert found[:3] == [sample(10, 20, 1600), sample(30, 30, 1640), sample(40, 50, 1600)]
    assert [each.identity for each in found[3:]] == ["other"]
    assert samples.of("xonstat", "ns2") == []
    samples.forget("steam").result()
    assert samples.of("steam", "ns2") == []
    assert [each.told for each in samples.of("xonstat", "xonotic")] == [{"duel": [1500.0, 80.0]}]


def test_watched_folders_and_what_was_seen_in_them(database: Database) -> None:
    folders = WatchedFolders(database)
    for folder in ("/b", "/a"):
        folders.add(folder)
    assert folders.add("/b") is None
    folders.note(WatchedFile("/b/1.json", 100, 5))
    folders.note(WatchedFile("/b/2.json", 7, 6, "/b/2.json:1: is not JSON"))
    folders.note(WatchedFile("/b/1.json", 120, 9)).result()
    again = WatchedFolders(database)
    assert list(folders) == list(again) == ["/b", "/a"]
    assert again.seen() == {
        "/b/1.json": WatchedFile("/b/1.json", 120, 9),
        "/b/2.json": WatchedFile("/b/2.json", 7, 6, "/b/2.json:1: is not JSON"),
    }
    folders.remove("/b").result()
    assert list(WatchedFolders(database)) == list(folders) == ["/a"]
    assert len(folders) == 1


def test_the_newest_questions_are_kept_and_told_first(database: Database) -> None:
    log = AskedLog(database)
    for number in range(KEEP + 5):
        log.add(KeptQuestion(float(number), "stats.xonotic.org", "my skill", "answered"))
    database.flush()
    assert log.newest(2) == [
        KeptQuestion(float(KEEP + 4 - back), "stats.xonotic.org", "my skill", "answered") for back in (0, 1)
    ]
    assert [each.time for each in (log.newest()[0], log.newest()[-1])] == [KEEP + 4.0, 5.0]
    assert len(log.newest()) == KEEP


def test_of_each_thing_the_last_state_is_kept(database: Database) -> None:
    cache = RatingsCache(database)
    cache.put("ns2/ns2/history/1", b"one")
    cache.put("ns2/ns2/now/1", b"now")
    cache.put("ns2/ns2/history/more/1", b"deeper")
    cache.put("ns2/ns2x/history/1", b"neighbour")
    cache.put("ns2/ns2/history/2", b"two").result()
    keys = ("history/1", "history/2", "now/1", "history/more/1")
    assert [cache.get(f"ns2/ns2/{key}") for key in keys] == [None, b"two", b"now", b"deeper"]
    assert cache.get("ns2/ns2x/history/1") == b"neighbour"
    cache.put("ns2/ns2/history/2", b"again").result()
    assert cache.get("ns2/ns2/history/2") == b"again"
    with pytest.raises(ValueError, match="no state"):
        cache.put("ns2", b"")
    cache.clear().result()
    assert cache.get("ns2/ns2/now/1") is None
