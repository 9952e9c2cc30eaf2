"""All known games, and which of them a server plays."""

from collections.abc import Iterable, Iterator, Mapping

from browser_app.games.info_matcher import InfoMatcher
from browser_app.games.profile import GameProfile


class Games(Mapping[str, GameProfile]):
    """Profiles by id, in the order of their ids."""

    def __init__(self, profiles: Iterable[GameProfile]) -> None:
        """Take profiles whose ids, app ids and folders are each claimed once, as `load_games` sees to."""
        self._profiles = {profile.id: profile for profile in sorted(profiles, key=lambda profile: profile.id)}
        self._by_appid = {appid: profile for profile in self.values() for appid in profile.appids}
        self._by_folder = {folder.lower(): profile for profile in self.values() for folder in profile.folders}
        self._by_info = InfoMatcher(self.values())

    def __getitem__(self, key: str) -> GameProfile:
        return self._profiles[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._profiles)

    def __len__(self) -> int:
        return len(self._profiles)

    def identify(
        self,
        protocol: str,
        *,
        appid: int | None = None,
        folder: str | None = None,
        info: Mapping[str, str] | None = None,
    ) -> GameProfile | None:
        """The game of a server that answered; None where no profile claims it.

        Args:
            protocol: Name of the query protocol that was answered.
            appid: Steam's app id (A2S); 0 is unknown. A server that tells one is known by nothing else.
            folder: The game folder (A2S), without regard to case.
            info: The infostring (Quake III family). The match with most keys wins, then the first id.
        """
        if protocol == "a2s":
            return self._by_appid.get(appid) if appid else self._by_folder.get((folder or "").lower())
        return self._by_info(info) if info else None
