"""Selection of masters and servers from options or settings."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from browser_app.application.app_context import AppContext, DemoNetworkHandle, SourceOptions
from browser_app.application.demo_player_setup import set_up_lists
from browser_app.application.game_finder import GameFinder, own_games
from browser_app.engine.masters.master_kinds import is_for_own_games
from browser_app.engine.masters.query_sources import QuerySources, parse_sources
from browser_app.engine.network.url_redaction import redact_url
from browser_app.exit_status import UsageError
from browser_app.games.game_registry import GameRegistry
from browser_app.storage.setting_declarations import DISABLED_MASTERS, EXTRA_MASTERS, PLAYED_GAMES
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_storage import UserStorage

DEFAULT_GAMES = ("cs2", "gmod", "ns2", "tf2")
"""Games whose Steam lists are queried while the user's own games are unknown."""


@dataclass(frozen=True)
class SelectedSources:
    """Sources to poll, and the demo network among them."""

    sources: QuerySources
    demo: DemoNetworkHandle | None = None
    """The running demo network, if there is one."""
    from_settings: bool = False
    """Whether the settings decided, because the options name no source."""
    problems: Sequence[str] = ()
    """Errors in the settings; the parts concerned are left out."""
    installed_games: frozenset[str] | None = None
    """Ids of the installed games if the sources depend on them; None if they were not looked for."""
    unpolled_masters: frozenset[str] = frozenset()
    """URLs of masters that are not polled because the user neither has nor chose their games."""

    def steam_key_getter(self, storage: UserStorage) -> Callable[[], str | None]:
        """Return a function that returns the Web API key.

        This is the demo network's or the user's; the function may block.
        """
        if self.demo is None:
            return storage.secrets.steam_key
        key = self.demo.steam_key
        return lambda: key

    def game_finder(self, games: GameRegistry, settings: Settings) -> GameFinder:
        """Return the finder of installed games, which knows the demo network's programs."""
        return GameFinder(games, settings, self.demo.game_programs if self.demo else {})


@contextmanager
def select_sources(
    options: SourceOptions, context: AppContext, storage: UserStorage, *, finds_games: bool = True
) -> Iterator[SelectedSources]:
    """Yield the sources that the options name, else those of the settings.

    A demo network runs meanwhile.

    Args:
        options: sources from the command line.
        context: the games, and what starts the demo network.
        storage: the user's settings and favourites.
        finds_games: whether the settings' sources depend on the installed games, which are looked for; else none
            counts as installed.

    Raises:
        UsageError: a source is wrong.
    """
    if options.demo_servers is not None:
        demo = context.start_demo(options.demo_servers)
        try:
            set_up_lists(demo.user_lists, storage, time.time())
            masters = (*options.masters, *demo.masters)
            yield SelectedSources(_parse_options(replace(options, masters=masters), context.games, storage), demo)
        finally:
            demo.close()
    elif options.has_own_sources:
        yield SelectedSources(_parse_options(options, context.games, storage))
    else:
        installed = _find_installed_games(context.games, storage) if finds_games else None
        selected = sources_from_settings(context.games, storage, installed or ())
        yield replace(selected, installed_games=installed)


def _parse_options(options: SourceOptions, games: GameRegistry, storage: UserStorage) -> QuerySources:
    try:
        sources = parse_sources(
            games,
            game_ids=options.games,
            masters=options.masters,
            servers=options.servers,
            lan=options.lan,
            own_games=own_games(games, storage, _find_installed_games(games, storage)) if options.lan else (),
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    if not (sources.masters or sources.servers):
        names = ", ".join(games[game].name for game in options.games)
        raise UsageError(f"{names}: there is no master server; name servers with --server")
    return sources


def _find_installed_games(games: GameRegistry, storage: UserStorage) -> frozenset[str]:
    return frozenset(GameFinder(games, storage.settings, {}).find_all())


def sources_from_settings(games: GameRegistry, storage: UserStorage, installed: Collection[str]) -> SelectedSources:
    """Return the sources of the chosen games and the user's further ones.

    Where no game is chosen, these are the sources of all games, but Steam's lists only of the user's own ones. May read
    server lists from files.

    Args:
        games: all games.
        storage: the user's settings and favourites.
        installed: ids of the installed games.
    """
    parse, problems, settings = partial(parse_sources, games), list[str](), storage.settings

    def valid_names(key: str, names: Iterable[str], parse_one: Callable[[str], object]) -> Iterator[str]:
        for name in names:
            try:
                parse_one(name)
                yield name
            except ValueError as error:
                problems.append(settings.format_problem(key, str(error)))

    played_games, extra_masters, disabled = map(settings.get, (PLAYED_GAMES, EXTRA_MASTERS, DISABLED_MASTERS))
    game_ids = list(valid_names(PLAYED_GAMES.key, played_games, lambda game: parse(game_ids=[game])))
    masters = list(valid_names(EXTRA_MASTERS.key, extra_masters, lambda url: parse(masters=[url])))
    own = own_games(games, storage, installed)
    unpolled = frozenset() if game_ids else _unpolled_masters(games, own).difference(map(redact_url, masters))
    skipped_urls = unpolled.union(map(redact_url, disabled))
    sources = parse(game_ids=game_ids or games, masters=masters, skipped_urls=skipped_urls)
    return SelectedSources(sources, from_settings=True, problems=problems, unpolled_masters=unpolled)


def _unpolled_masters(games: GameRegistry, own: Iterable[str]) -> frozenset[str]:
    """Return the URLs of the masters that are not polled now.

    They are only polled for the user's `own` games, and list none of these.
    """

    def optional_masters(game_ids: Iterable[str]) -> frozenset[str]:
        urls = (url for game in game_ids if game in games for url in games[game].masters)
        return frozenset(url for url in urls if is_for_own_games(url))

    polled = optional_masters(own) or optional_masters(DEFAULT_GAMES)
    return optional_masters(games) - polled


def enabled_master_urls(games: GameRegistry, settings: Settings) -> frozenset[str]:
    """Return the redacted URLs of all masters that are not switched off.

    These are the masters of all games and the user's own. The user may have hidden some of these games for the moment.
    """
    extra_masters, disabled = settings.get(EXTRA_MASTERS), settings.get(DISABLED_MASTERS)
    urls = {url for game in games.values() for url in game.masters}.union(extra_masters)
    return frozenset(map(redact_url, urls)).difference(map(redact_url, disabled))
