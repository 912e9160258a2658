# SPDX-License-Identifier: Apache-2.0
"""A user who signs in within a native app: once in vain, with a code, then with each credential twice."""

import random
import time
from functools import partial

from operations.wire import Response, post

from replicas.apple import Apple, Credential
from replicas.asking import Asked, at_once, outcome_of
from replicas.balancer import WANTED
from replicas.cluster import REPLICAS, Cluster
from replicas.history import ACCEPTED, CREDENTIAL, NOT_ACCEPTED
from replicas.settings import NATIVE_APP

_SECONDS_BETWEEN_TRIES = 0.5
# For so long the app goes on with a credential, and with new ones.
_SECONDS_OF_A_CREDENTIAL = 15
_SECONDS_TO_SIGN_IN = 30


class NativeLogin:
    """One user at one app. Each request is entered into the history."""

    def __init__(self, number: int, cluster: Cluster, apple: Apple, chosen: random.Random) -> None:
        self._cluster = cluster
        self._apple = apple
        self._asked = Asked(cluster.history, number)
        # In the form of Apple's subjects.
        self._person = f"{number:06d}.{chosen.randbytes(16).hex()}.0001"
        names = [str(each + 1) for each in range(REPLICAS)]
        self._first = chosen.choice(names)
        self._twice = chosen.sample(names, 2)
        self._presented: list[Credential] = []

    def run(self) -> None:
        """Presents a credential with a code that comes to nothing, then others until one is accepted."""
        self._insist(self._apple.credential(self._person, has_code=True), self._first)
        end = time.monotonic() + _SECONDS_TO_SIGN_IN
        while time.monotonic() < end:
            credential = self._apple.credential(self._person, has_code=False)
            self._presented.append(credential)
            outcomes: list[str] = []
            at_once([partial(self._present, credential, replica, outcomes) for replica in self._twice])
            if ACCEPTED in outcomes:
                return
            # One was told that it was used, so the app needs a new one.
            if NOT_ACCEPTED not in outcomes and self._insist(credential, None) == ACCEPTED:
                return
            time.sleep(_SECONDS_BETWEEN_TRIES)

    def again(self) -> None:
        """Presents each credential without a code once more, behind which nothing but its mark stands."""
        for credential in self._presented:
            self._present(credential, None, [])

    def _insist(self, credential: Credential, replica: str | None) -> str:
        """Presents a credential until it is known what became of it."""
        end = time.monotonic() + _SECONDS_OF_A_CREDENTIAL
        outcomes: list[str] = []
        while time.monotonic() < end:
            self._present(credential, replica, outcomes)
            if outcomes[-1] in (ACCEPTED, NOT_ACCEPTED):
                break
            replica = None
            time.sleep(_SECONDS_BETWEEN_TRIES)
        return outcomes[-1]

    def _present(self, credential: Credential, replica: str | None, outcomes: list[str]) -> None:
        token = credential.form["id_token"]
        response = self._asked.enter(CREDENTIAL, replica, partial(self._post, credential, replica), token)
        outcomes.append("" if response is None else outcome_of(CREDENTIAL, response))

    def _post(self, credential: Credential, replica: str | None) -> Response:
        form = {"client_id": NATIVE_APP, "provider": "apple", **credential.form}
        fields = {WANTED: replica} if replica else {}
        return post(self._cluster.endpoint, "/__/auth/credential", form, fields)
