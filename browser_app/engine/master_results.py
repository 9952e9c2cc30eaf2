"""Results of the master server polls of one run."""

from collections.abc import Iterable

from browser_app.engine.masters.master_poll import MasterState, should_keep_old_list
from browser_app.engine.masters.outage import Outage, find_outage, has_internet_route
from browser_app.engine.server_poll import ServerPoll
from browser_app.language import gettext as _


class MasterResults:
    """States of the master servers as of their last polls."""

    def __init__(self) -> None:
        self.states: tuple[MasterState, ...] = ()
        """State of each master as of its last poll."""
        self.outage: Outage | None = None
        """Why there was no list after the last poll; None if there was one, or before the first poll has ended."""
        self._server_counts: dict[str, int] = {}
        """URL → number of servers in the last list that was accepted."""

    def add_poll(self, poll: ServerPoll, *, is_full_poll: bool) -> frozenset[str]:
        """Store the states of a finished poll.

        Returns the sources whose new lists replace earlier ones. Masters that a poll of some masters leaves out keep
        their states.
        """
        states = {state.url: state for state in (*self.states, *poll.master_states)}
        self.states = poll.master_states if is_full_poll else tuple(states.values())
        if not poll.is_cancelled:
            self.outage = find_outage(self.states, has_internet_route)
        complete_urls = self._complete_urls(poll)
        for state in poll.master_states:
            if not self._keeps_old_list(state):
                self._server_counts[state.url] = state.servers
        return complete_urls

    def has_failed(self, state: MasterState) -> bool:
        """Return whether a master delivered no list.

        An empty one after one with servers counts as none.
        """
        return (state.is_done and not state.ok) or self._keeps_old_list(state)

    def failure_texts(self, states: Iterable[MasterState]) -> list[str]:
        """Return the errors of masters, a line each."""
        failures = []
        for state in states:
            if state.error:
                failures.append(f"{state.url}: {state.error}")
            elif self._keeps_old_list(state):
                failures.append(_("{master}: empty list; keeping the previous one").format(master=state.url))
        return failures

    def _keeps_old_list(self, state: MasterState) -> bool:
        return should_keep_old_list(self._server_counts.get(state.url, 0), state)

    def _complete_urls(self, poll: ServerPoll) -> frozenset[str]:
        if poll.is_cancelled:
            return frozenset()
        complete = (state.url for state in poll.master_states if state.ok and not self._keeps_old_list(state))
        return frozenset(("", *complete))
