"""A player who comes with the sources, put in the place of the user: into lists that are not the user's own."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from browser_app.bridge.skill.preferences import Preferences
from browser_app.games.profile import GameProfile
from browser_app.player.given import GivenPlayer
from browser_app.storage.errors import StorageError
from browser_app.storage.identities import Identities, KeptIdentity
from browser_app.storage.kept import Kept
from browser_app.storage.rounds import RoundStore
from browser_app.storage.skill_samples import SkillSamples


def introduce(given: GivenPlayer, identities: Identities, kept: Kept, games: Mapping[str, GameProfile]) -> None:
    """He is who plays, with his parameters, unless it was said before who does."""
    if len(identities):
        return
    from browser_app.rating.parameters import parameter_set
    from browser_app.rating.systems import SYSTEMS

    for each in given.identities:
        identities.add(KeptIdentity(each.game, each.kind, each.value))
    preferences = Preferences(kept, games)
    for (game, system), parameters in given.parameters.items():
        preferences.set_parameters(game, system, parameter_set(SYSTEMS[system].declared, given=parameters))


def recall(given: GivenPlayer, samples: SkillSamples, now: float) -> None:
    """Have it kept what services said of him before `now` (Unix time, s), unless something is kept of them already.

    Takes its time. What cannot be written is not there to be shown.
    """
    kept = dict[tuple[str, str], bool]()
    with suppress(StorageError):
        for each in given.samples(now):
            asked = each.source, each.identity.game
            if asked not in kept:
                kept[asked] = bool(samples.of(*asked))
            if not kept[asked]:
                samples.add(*asked, each.identity.value, each.time, each.told).result()


def take_in(given: GivenPlayer, store: RoundStore, now: float) -> bool:
    """Have the store hold what he played up to `now` (Unix time, s), in place of what it held of an earlier time.

    Takes its time. Where the rounds cannot be written there are none to show, and `Database.problem` says why. The
    result: whether the rounds are others than before.
    """
    from browser_app.rounds.errors import RoundError
    from browser_app.rounds.formats import ROUND_FILE

    try:
        found = dict(given.rounds(now))
        kept = {each.file for each in store.files() if not Path(each.file).is_absolute()}  # those have no folder
        if kept == found.keys():
            return False
        for name in kept:
            store.remove_file(name).result()
        for name, make in found.items():
            store.add(name, ROUND_FILE, enumerate(make(), 1))
    except (StorageError, RoundError):
        return False
    return True
