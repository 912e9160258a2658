# SPDX-License-Identifier: Apache-2.0
"""The processor time of a refresh, against that of a redemption."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import fmean

from operations_cost.plan import Plan
from operations_cost.sentence import Ratio, Sentence, reported

from refresh_cost.person import KEPT, SIGNED_IN, Connections, Person
from refresh_cost.servers import Broker, running

_MOST = 1.6
# Not more turns than an account has sessions at an app, or one of them would have to end for each that begins.
_TURNS = 20
_PEOPLE = 500
_AT_A_TIME = 32
_REDEMPTION, _KEPT, _REFRESH = "redemption", "redemption with a refresh token", "refresh"


def measure(plan: Plan) -> list[Sentence]:
    """Returns a sentence about a refresh, and one about a redemption that begins a session."""
    costs: dict[str, list[float]] = {_REDEMPTION: [], _KEPT: [], _REFRESH: []}
    with (
        plan.off_the_servers_processors(),
        running(plan) as broker,
        ThreadPoolExecutor(_AT_A_TIME) as pool,
    ):
        connections = Connections(broker.port)
        people = [Person(number + 1, connections) for number in range(plan.amount(100, _PEOPLE))]
        print("CPU ms, turn by turn: " + ", ".join(costs))
        for turn in range(plan.amount(2, _TURNS)):
            for name, cost in _turn(turn, people, broker, pool).items():
                costs[name].append(cost)
            print("  ".join(f"{each[-1]:.4f}" for each in costs.values()), flush=True)
    count = len(people) * len(costs[_REFRESH])
    ratio = _ratio(costs, _REFRESH)
    figure = f"{ratio}; {fmean(costs[_REFRESH]):.3f} to {fmean(costs[_REDEMPTION]):.3f} ms"
    title = f"CPU per refresh, to per redemption: {count:,} of each in turns, accounts in SQLite, RS256"
    return [
        Sentence(title, _MOST, _MOST, "", ratio.value, figure),
        reported(
            "the same of a redemption that begins a session",
            f"{_ratio(costs, _KEPT)}; {fmean(costs[_KEPT]):.3f} ms",
        ),
    ]


def _turn(
    number: int, people: Sequence[Person], broker: Broker, pool: ThreadPoolExecutor
) -> dict[str, float]:
    """Returns what each operation costs, in milliseconds. Each user does each once."""
    codes = {
        scope: list(pool.map(lambda person: person.sign_in(scope), people)) for scope in (SIGNED_IN, KEPT)
    }

    def redeem(scope: str) -> None:
        pairs = zip(people, codes[scope], strict=True)
        _all(pool, [partial(person.redeem, code, scope == KEPT) for person, code in pairs])

    operations: dict[str, Callable[[], None]] = {
        _REDEMPTION: lambda: redeem(SIGNED_IN),
        _KEPT: lambda: redeem(KEPT),
        _REFRESH: lambda: _all(pool, [person.refresh for person in people]),
    }
    # What drifts in the machine drifts for all. In the first turn there is no session to refresh yet.
    names = list(operations)
    costs = {}
    for name in names if number % 2 == 0 else reversed(names):
        before = broker.process.processor_seconds
        operations[name]()
        costs[name] = (broker.process.processor_seconds - before) * 1000 / len(people)
    return costs


def _all(pool: ThreadPoolExecutor, calls: Sequence[Callable[[], None]]) -> None:
    for each in [pool.submit(call) for call in calls]:
        each.result()


def _ratio(costs: dict[str, list[float]], name: str) -> Ratio:
    return Ratio([one / other for one, other in zip(costs[name], costs[_REDEMPTION], strict=True)])
