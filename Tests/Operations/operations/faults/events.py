# SPDX-License-Identifier: Apache-2.0
"""The broker and the receiver of its events are killed at random, while accounts come, change and go."""

import http.client
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

from kit import certificates
from kit.ports import free_port

from operations.check import Check, Failed, Setting, require
from operations.installation import Installation, running
from operations.process import Process
from operations.waiting import wait_until
from operations.wire import Endpoint, read

_PROJECT = "people"
_ADMIN_TOKEN = "admin-token-of-the-operations-0123456789"
_WRITERS = 4
_SECONDS_TO_ANSWER = 120
# A killed broker leaves events that no other broker sends for three minutes.
_SECONDS_TO_ARRIVE = 360

# What an event says: its type, and the name that the account had.
_Said = tuple[str, str]


class _Operator:
    """Makes, changes and deletes one account after the other, and knows what their events have to say."""

    def __init__(self, number: int, seed: int, endpoint: Endpoint) -> None:
        self.committed: dict[str, list[_Said]] = {}
        self.failure: Exception | None = None
        self._number = number
        self._chosen = random.Random(f"{seed} {number}")
        self._endpoint = endpoint

    def work(self, has_ended: threading.Event) -> None:
        """Goes on until the end, and finishes the account that was begun."""
        try:
            while not has_ended.is_set():
                self._account(f"events-{self._number}-{len(self.committed)}")
        except Failed as error:
            self.failure = error

    def _account(self, uid: str) -> None:
        said: list[_Said] = []
        self.committed[uid] = said
        name, is_disabled = "0", False
        self._insist("accounts", {"localId": uid, "displayName": name}, done="DUPLICATE_LOCAL_ID")
        said.append(("account.created", name))
        for number in range(1, self._chosen.randint(2, 7)):
            if self._chosen.random() < 0.3:
                is_disabled = not is_disabled
                self._insist("accounts:update", {"localId": uid, "disableUser": is_disabled})
                said.append(("account.disabled" if is_disabled else "account.enabled", name))
            else:
                name = str(number)
                self._insist("accounts:update", {"localId": uid, "displayName": name})
                said.append(("account.updated", name))
        if self._chosen.random() < 0.5:
            self._insist("accounts:delete", {"localId": uid}, done="USER_NOT_FOUND")
            said.append(("account.deleted", name))

    def _insist(self, operation: str, body: dict[str, object], done: str = "") -> None:
        """Sends a request until it is answered. One that was sent in vain before may say that it is done."""
        answered, is_first, end = "", True, time.monotonic() + _SECONDS_TO_ANSWER
        while not answered:
            require(time.monotonic() < end, f"{operation} is not answered")
            time.sleep(self._chosen.uniform(0.05, 0.3))
            answered = self._send(operation, body)
            is_done = not is_first and bool(done) and done in answered
            require(answered in ("", "200") or is_done, f"{operation}: {answered}")
            is_first = False

    def _send(self, operation: str, body: dict[str, object]) -> str:
        """Returns what came of a request; nothing if there is no answer, or that of a broker that ends or begins."""
        connection = self._endpoint.connect("127.0.0.1")
        fields = {"Content-Type": "application/json", "Authorization": f"Bearer {_ADMIN_TOKEN}"}
        path = f"/identitytoolkit.googleapis.com/v1/projects/{_PROJECT}/{operation}"
        try:
            connection.request("POST", path, json.dumps(body), fields)
            response = read(connection)
        except (OSError, http.client.HTTPException):
            return ""
        finally:
            connection.close()
        if response.status == 503:
            return ""
        return "200" if response.status == 200 else f"status {response.status} {response.body}"


def _killed(setting: Setting) -> str:
    chosen = random.Random(setting.seed)
    loopback, port = Endpoint("http", free_port()), free_port()
    kept = setting.directory / "events"
    receiver = Process(
        "receiver", [sys.executable, "-m", "operations.receiver", str(port), str(kept)], setting.directory
    )
    auth = _auth(setting.directory, port)
    server = {"loopback": {"port": loopback.port, "admin-token": _ADMIN_TOKEN}}
    kills = {"broker": 0, "receiver": 0}
    with running(setting, auth=auth, server=server) as made, receiver:
        operators = [_Operator(number, setting.seed, loopback) for number in range(_WRITERS)]
        has_ended = threading.Event()
        threads = [threading.Thread(target=each.work, args=(has_ended,), daemon=True) for each in operators]
        for thread in threads:
            thread.start()
        end = time.monotonic() + setting.amount(60, 600)
        try:
            while time.monotonic() < end:
                time.sleep(chosen.uniform(0.2, 3))
                victims = chosen.choice([[made.broker], [receiver], [made.broker, receiver]])
                for victim in victims:
                    victim.send(signal.SIGKILL)
                    victim.wait(10)
                    kills[victim.name] += 1
                time.sleep(chosen.uniform(0, 1))
                _start(victims, made, receiver)
        finally:
            has_ended.set()
        for thread in threads:
            thread.join()
        for each in operators:
            if each.failure:
                raise each.failure
        committed = {uid: said for each in operators for uid, said in each.committed.items()}
        count = sum(len(said) for said in committed.values())
        wait_until("every event arrives", lambda: _have_arrived(count, kept), _SECONDS_TO_ARRIVE)
        wait_until("the outbox is empty", lambda: not _waiting(made))
    received = _received(kept)
    arrived: dict[str, list[_Said]] = defaultdict(list)
    seen: set[str] = set()
    for jti, uid, said in received:
        if jti not in seen:
            seen.add(jti)
            arrived[uid].append(said)
    for uid in committed.keys() | arrived.keys():
        expected, found = committed.get(uid, []), arrived.get(uid, [])
        require(expected == found, f"{uid} had {expected}, and {found} arrived")
    require(min(kills.values()) > 0, f"not both were killed: {kills}")
    return (
        f"seed {setting.seed}: {kills['broker']} kills of the broker, {kills['receiver']} of the receiver; {count} "
        f"events of {len(committed)} accounts arrived, and {len(received) - len(seen)} repetitions"
    )


def _auth(directory: Path, port: int) -> dict[str, object]:
    return {
        "accounts": {
            "project-id": _PROJECT,
            "database": f"sqlite:{directory / 'accounts.sqlite'}",
            "signing-keys": certificates.signing_key("ES256"),
        },
        "webhook": {"url": f"http://127.0.0.1:{port}/events", "signing-key": certificates.signing_key("ES256")},
    }


def _start(victims: list[Process], made: Installation, receiver: Process) -> None:
    if receiver in victims:
        receiver.__enter__()
    if made.broker in victims:
        made.start_broker()


def _received(kept: Path) -> list[tuple[str, str, _Said]]:
    """Returns what arrived, in order: the identifier of an event, that of its account, and what it says."""
    lines = kept.read_text().split("\n")[:-1] if kept.exists() else []
    events = [json.loads(line) for line in lines]
    return [(each["jti"], each["uid"], (each["type"], each["account"].get("display_name", ""))) for each in events]


def _have_arrived(count: int, kept: Path) -> bool:
    time.sleep(1)
    return len({jti for jti, _, _ in _received(kept)}) >= count


def _waiting(made: Installation) -> str:
    """Returns what waits to be delivered, or was given up."""
    command = [made.setting.executable, "accounts", "events", "--config", made.configuration_file]
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.strip()


CHECKS = [
    Check(
        "the broker and the receiver of events are killed at random",
        "every event of an account arrives, none before an earlier one of its account",
        _killed,
    )
]
