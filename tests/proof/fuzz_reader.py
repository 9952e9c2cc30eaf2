"""A reader of input from outside, and helpers of several readers."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from fuzz_grammar import Grammar, split_samples
from fuzz_mutation import new_case

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult
from browser_app.diagnostics import internal_errors
from browser_app.games import load_games
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import resource_folder

Read = Callable[[bytes], object]


@dataclass(frozen=True)
class FuzzedReader:
    """One reader: what it reads, what it may raise, and good input."""

    read: Read
    errors: tuple[type[Exception], ...]
    seeds: tuple[bytes, ...]
    grammar: Grammar | None = None
    """Builds input; without one, that is done from the fields of the samples."""
    share: int = 4
    """Weight of its number of cases; small where a case is a file."""

    def new_case(self, rng: random.Random) -> bytes:
        """Return input that is valid or almost valid."""
        return new_case(self.seeds, self.grammar or split_samples(self.seeds), rng)

    def rejects(self, data: bytes) -> bool:
        """Return whether it rejects these bytes; raises errors that are not declared."""
        try:
            self.read(data)
        except self.errors:
            return True
        if counts := internal_errors.counts():
            internal_errors.clear()
            raise AssertionError(counts)
        return False


@cache
def shared_games() -> GameRegistry:
    return load_games(resource_folder() / "games")


@cache
def shared_catalogue() -> Catalogue:
    return Catalogue(shared_games())


def merge_results(*results: QueryResult) -> None:
    catalogue = shared_catalogue()
    catalogue.merge(results)
    catalogue.rescore()


def text_of(data: bytes) -> str:
    """Return text that may hold lone surrogates, which UTF-8 cannot encode.

    They come from the command line and from JSON.
    """
    return data.decode("utf-8", "surrogateescape")


def with_text(read: Callable[[str], object]) -> Read:
    return lambda data: read(text_of(data))
