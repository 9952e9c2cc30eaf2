"""What there is to show of a game before anything is calculated: read beside the window."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from browser_app.bridge.skill.kept_ratings import KeptRatings, key_of, state_of
from browser_app.bridge.skill.kept_rounds import forget_others
from browser_app.bridge.skill.subject import Model, Source
from browser_app.player.identities import Identity
from browser_app.player.own_history import OwnHistory
from browser_app.storage.database import Database
from browser_app.storage.ratings_cache import RatingsCache
from browser_app.storage.rounds import RoundStore


@dataclass(frozen=True)
class Opened:
    """A look at the record.

    Attributes:
        counts: rounds by game. game: the chosen one, "" where there is none.
        source, model, state: what its ratings are to be made from.
        kept, history: what is kept of the last time, None where nothing is.
        sources: where the rounds of every game are.
    """

    counts: Mapping[str, int]
    game: str
    source: Source
    model: Model
    state: str
    kept: KeptRatings | None
    history: OwnHistory | None
    sources: tuple[Source, ...]


def look(
    database: Database,
    choose: Callable[[Mapping[str, int]], str],
    model_of: Callable[[str], Model],
    identities: Sequence[Identity],
) -> Opened:
    """Read it. `choose` picks a game from the counts; identities are those of all games.

    Raises:
        StorageError: the file cannot be read.
    """
    store = RoundStore(database)
    counts = store.games()
    game = choose(counts)
    if database.path is not None:
        forget_others(database.path, counts)
    place = database.path or database.read(lambda connection: connection.serialize())

    def source_of(of: str) -> Source:
        return Source(place, of, store.stamp(of), tuple(each for each in identities if each.game == of))

    source, model = source_of(game), model_of(game)
    sources = tuple(map(source_of, counts))
    content = RatingsCache(database).get(key_of(game, model.system))
    kept = history = None
    if content is not None:
        try:
            kept = KeptRatings.from_bytes(content)
            history = OwnHistory.from_bytes(kept.history)
        except ValueError:  # of another version of the program: it is made anew
            kept = None
    return Opened(counts, game, source, model, state_of(source, model), kept, history, sources)
