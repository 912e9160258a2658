# SPDX-License-Identifier: Apache-2.0
"""The time and memory of an import and of an export."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from operations.check import LeftOut
from operations_cost.plan import Plan
from operations_cost.sentence import Sentence
from replicas.network import LoopbackNetwork
from replicas.postgresql import PORT, PostgreSQL, connection, is_known_to, need, template

from import_cost import database, users
from import_cost.database import Cost

_TURNS = 3
_MOST_MEGABYTES = 64
# Users a second: what must be reached, and the goal.
_SQLITE, _POSTGRESQL, _EXPORT = (8000, 15_000), (3000, 6000), (40_000, 40_000)


def in_sqlite(plan: Plan) -> list[Sentence]:
    """Returns the sentences about SQLite."""

    def new(turn: int) -> dict[str, str]:
        return database.sqlite(plan, f"turn-{turn}")[1]

    return _measured(plan, "SQLite", new, *_SQLITE)


def in_postgresql(plan: Plan) -> list[Sentence]:
    """Returns the sentences about PostgreSQL."""
    need()
    if not is_known_to(plan.broker):
        raise LeftOut("the broker was built without the trait PostgreSQL")
    with _server(plan) as (server, further):
        variables = database.environment(plan, "postgresql", further)
        database.make(plan, variables)

        def new(_: int) -> dict[str, str]:
            server.ask("TRUNCATE oidc_broker_account CASCADE", 60)
            return variables

        return _measured(plan, "PostgreSQL", new, *_POSTGRESQL)


@contextmanager
def _server(plan: Plan) -> Iterator[tuple[PostgreSQL, dict[str, str]]]:
    node = LoopbackNetwork().node("server")
    made = template(plan.directory, plan.broker, node)
    server = PostgreSQL(node, made.parent)
    server.start()
    try:
        where = connection([node], PORT)
        yield server, {"AUTH_STORE_KIND": "postgresql", "AUTH_STORE_POSTGRESQL_CONNECTION": where}
    finally:
        server.stop()
        server.end()


def _measured(
    plan: Plan, name: str, new: Callable[[int], Mapping[str, str]], must: int, goal: int
) -> list[Sentence]:
    count = plan.amount(2000, 1_000_000)
    file = plan.directory / "users.json"
    users.make(file, count)
    imports, exports = [], []
    for turn in range(plan.amount(1, _TURNS)):
        variables, copy = new(turn), plan.directory / f"copy-{turn}.json"
        imports.append(database.command(plan, variables, "import", str(file), "--issuer", users.ISSUER))
        exports.append(database.command(plan, variables, "export", str(copy)))
        copy.unlink()
        print(f"{name}, turn {turn + 1}: {imports[-1]}, {exports[-1]}", flush=True)
    taken, written = database.median(imports), database.median(exports)
    return [
        _rate(f"import of 1,000 users into {name}", count, taken, must, goal),
        _memory(f"RSS of an import of {count:,} users into {name}", taken),
        _rate(f"export of 1,000 users from {name}", count, written, *_EXPORT),
        _memory(f"RSS of an export of {count:,} users from {name}", written),
    ]


def _rate(title: str, count: int, cost: Cost, must: int, goal: int) -> Sentence:
    milliseconds = cost.seconds / count * 1e6
    figure = f"{milliseconds:.1f} ms; {count / cost.seconds:,.0f} users a second"
    return Sentence(title, round(1e6 / must, 1), round(1e6 / goal, 1), " ms", milliseconds, figure)


def _memory(title: str, cost: Cost) -> Sentence:
    return Sentence(title, _MOST_MEGABYTES, _MOST_MEGABYTES, " MB", cost.megabytes, f"{cost.megabytes:.1f} MB")
