# SPDX-License-Identifier: Apache-2.0
"""Tries a client: a sign-in that must succeed, and callbacks that must not."""

import base64
import json
from urllib.parse import parse_qs, urlsplit

from kit.callback import Callback
from kit.installation import Installation
from kit.row import Row
from kit.trial import Refused, SignedIn, SignIn, Trial
from kit.user_agent import ProviderAccount, UserAgent
from kit.versions import installed

# The first of the development provider's test users.
_PERSON = {"email": "ada@example.com", "name": "Ada Example"}
# The second of them, who is not in the group `staff`.
_OTHER = ("grace@example.com", "first-compiler")
_REFRESHES = 3
# What a result says of a client that keeps sessions.
SESSION = "refreshes, with another refresh token each time, until it revoked one"


def examine(trial: Trial, installation: Installation) -> Row:
    """Returns the row of a client; raises if anything is not as it must be."""
    browser = UserAgent(installation.certificates.authority)
    sign_in = trial.start(installation.registration(trial.app))
    url = sign_in.begin()
    sends = _binding(url)
    callback = browser.open(url, trial.app.redirect_uri)
    if trial.is_refused:
        _expect(sends == "neither", f"it sends {sends}")
        error = callback.parameters.get("error")
        _expect(error == "invalid_request", f"the error is {error}")
        _must_refuse(sign_in, callback, "an error response")
        return _row(trial, sends, "refused: sends neither nonce nor PKCE", None)
    person = sign_in.complete(callback)
    _check(person, trial)
    # A used callback ends the session, so that this comes before it.
    stays = _examine_session(sign_in, person) if trial.app.keeps_sessions else ""
    if trial.decides_by_group:
        stays += _examine_groups(trial, installation, person)
    _must_refuse(sign_in, callback, "a used callback")
    if trial.app.repeats_assertions:
        again = sign_in.complete(browser.open(sign_in.begin(), trial.app.redirect_uri))
        _expect(again.sub == person.sub, "the next sign-in is another subject's")
    if not trial.compares_state:
        return _row(trial, sends, f"signed in; refuses a used callback{stays}", person.sub)
    fresh = browser.open(sign_in.begin(), trial.app.redirect_uri)
    _must_refuse(sign_in, fresh.with_state("A" + fresh.parameters["state"]), "a changed state")
    return _row(trial, sends, f"signed in; refuses a used callback, a changed `state`{stays}", person.sub)


def _examine_session(sign_in: SignIn, person: SignedIn) -> str:
    """Has a client refresh its tokens and revoke them; returns what the result says of that."""
    tokens = {person.refresh_token}
    for _ in range(_REFRESHES):
        refreshed = sign_in.refresh()
        _expect(refreshed.sub == person.sub, "a refresh is about another subject")
        tokens.add(refreshed.refresh_token)
    _expect(None not in tokens and len(tokens) == _REFRESHES + 1, "a refresh token was not replaced")
    sign_in.revoke()
    try:
        sign_in.refresh()
    except Refused:
        return f"; {SESSION}"
    raise AssertionError("it is signed in after it revoked its refresh token")


def _examine_groups(trial: Trial, installation: Installation, person: SignedIn) -> str:
    """Has another user sign in at the app, who must be no admin; returns what the result says of that."""
    _expect(person.is_admin is True, "the group staff makes no admin")
    account = ProviderAccount(installation.provider_issuer, *_OTHER)
    browser = UserAgent(installation.certificates.authority, account)
    sign_in = trial.start(installation.registration(trial.app))
    other = sign_in.complete(browser.open(sign_in.begin(), trial.app.redirect_uri))
    _expect(other.claims["email"] == account.email, f"the other user is {other.claims['email']}")
    _expect(other.sub != person.sub, "two users have the same subject")
    _expect(other.is_admin is False, "another group makes an admin")
    return "; makes an admin by group, and none of another user"


def _binding(authorization_url: str) -> str:
    """Returns by what an authorization request binds the code to the client's session."""
    parameters = parse_qs(urlsplit(authorization_url).query)
    sent = []
    if "nonce" in parameters:
        sent.append("nonce")
    if "code_challenge" in parameters:
        sent.append(f"PKCE {parameters['code_challenge_method'][0]}")
    return ", ".join(sent) or "neither"


def _check(person: SignedIn, trial: Trial) -> None:
    """Checks the claims and, if the client shows its ID token, the algorithm of that."""
    _expect(person.claims.get("sub", person.sub) == person.sub, "UserInfo is about another subject")
    for name in trial.claims:
        value = person.claims.get(name)
        _expect(value == _PERSON[name], f"{name} is {value}")
    if person.id_token is not None:
        header = person.id_token.split(".")[0]
        algorithm = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["alg"]
        _expect(algorithm == trial.app.algorithm, f"the ID token is signed with {algorithm}")


def _must_refuse(sign_in: SignIn, callback: Callback, what: str) -> None:
    try:
        person = sign_in.complete(callback)
    except Refused:
        return
    raise AssertionError(f"{what} signed {person.sub} in")


def _expect(condition: bool, otherwise: str) -> None:
    if not condition:
        raise AssertionError(otherwise)


def _row(trial: Trial, sends: str, result: str, sub: str | None) -> Row:
    return Row(
        client=trial.client,
        version=installed(trial.distribution),
        kind=trial.app.kind,
        sends=sends,
        algorithm="none issued" if sub is None else trial.app.algorithm,
        settings=trial.settings,
        result=result,
        sub=sub,
    )
