"""True skills of the NS2 model, inferred online."""

from dataclasses import replace
from math import pi, sqrt

from browser_app.rating.circumstances import CircumstanceAdvantage
from browser_app.rating.ns2.ns2_parameters import NS2Settings, ns2_error_variance
from browser_app.rating.ns2.ns2_run import NS2Run
from browser_app.rating.ns2.ns2_skills import NS2Skills
from browser_app.rating.rating_system import Rating
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import logistic
from browser_app.rating.skill_inference import SharedError, find_root_interval_90


class NS2InferenceRun(NS2Run):
    """Posterior means and variances of s and χ, given the rounds so far.

    The prior has the mean `start` and the variance of the Gamma prior of the full history; a skill that the game
    reported counts as `ns2_error_variance` says. Offsets stay as the game reported them.

    A round has log-odds z of mean m and variance V. By MacKay's approximation the first-named team's chance is p' of
    κ m, κ = 1 / √(1 + π V / 8) (D. J. C. MacKay, "The evidence framework applied to classification networks", Neural
    Computation 4, 1992), so log P(G) has the derivatives κ (G − p') and −κ² p' (1 − p') by m. As in TrueSkill, the
    first times a P moves the mean of a skill with coefficient a and variance P, the second times (a P)² is what P loses
    (assumed-density filtering). A skill is skewed like a Gamma variable: its variance follows the square of its mean,
    as for a shape of at least 1, the least of the prior. All skills count as independent but for their level
    (`SharedError`).
    """

    def __init__(
        self,
        record: RoundRecord,
        settings: NS2Settings,
        skills: NS2Skills | None = None,
        advantage: CircumstanceAdvantage | None = None,
    ) -> None:
        super().__init__(record, settings, skills, advantage)
        self._newcomer_variance = ns2_error_variance(settings)
        self._is_seen = bytearray(len(record.player_ids)), bytearray(len(record.player_ids))
        self._shared = SharedError(), SharedError()  # of skills, of commander skills

    def rating(self, player: int, mode: int) -> Rating:  # noqa: ARG002 (one skill for all modes)
        """Return the posterior mean and standard deviation of s."""
        return self._posterior(self._skills.skill[player], self._skills.variance[player], self._shared[0])

    def commander_rating(self, player: int) -> Rating:
        """Return the posterior mean and standard deviation of χ."""
        skills = self._skills
        return self._posterior(skills.commander[player], skills.commander_variance[player], self._shared[1])

    def _posterior(self, mean: float, variance: float, shared: SharedError) -> Rating:
        variance = shared.add_to(variance, self._newcomer_variance)
        return Rating(mean, sqrt(variance), find_root_interval_90(mean, variance))

    def _update(self, i: int) -> None:
        skills, block = self._skills_before(i), self._block
        self._skills = skills
        field, commanders, circumstance = block.inputs_of_round(i)
        terms = (
            (field, skills.skill, skills.variance, self._shared[0], self._is_seen[0]),
            (commanders, skills.commander, skills.commander_variance, self._shared[1], self._is_seen[1]),
        )
        spread = 0.0
        for (players, coefficients, _), _, variance, shared, is_seen in terms:
            for player in players:
                if not is_seen[player]:
                    is_seen[player] = True
                    shared.add_player(variance[player])
            spread += sum(signed**2 * variance[player] for player, signed in zip(players, coefficients, strict=True))
            spread += sum(coefficients) ** 2 * shared.variance
        moderation = 1.0 / sqrt(1.0 + pi / 8.0 * spread)
        chance = logistic(moderation * self._log_odds(skills, field, commanders, circumstance))
        gradient, curvature = moderation * (block.outcomes[i] - chance), moderation**2 * chance * (1.0 - chance)
        for (players, coefficients, _), mean, variance, _, _ in terms:
            for player, signed in zip(players, coefficients, strict=True):
                old = variance[player]
                own = signed * old
                moved = own * gradient
                growth = 1.0 + moved / max(mean[player], sqrt(old))
                mean[player] += moved
                variance[player] = (old - own * own * curvature) * growth * growth
        if self.advantage is not None:
            self.advantage.learn(circumstance, block.outcomes[i], chance)

    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "NS2InferenceRun":
        """Return a copy: an inference stays with its record (`RatingRun.transfer_to`)."""
        advantage = None if self.advantage is None else self.advantage.transfer_to(record, mapping)
        skills = self._skills.transfer_to(mapping.players, self._skills, self._skills.rounds)
        run = NS2InferenceRun(record, self._settings, skills, advantage)
        run._is_seen = self._is_seen[0].copy(), self._is_seen[1].copy()
        run._shared = replace(self._shared[0]), replace(self._shared[1])
        return run

    def _new_inference(self) -> None:
        """Return None: this is one."""
