# SPDX-License-Identifier: Apache-2.0
"""Tries a verifier: the ID token of an account, which it must verify, and tokens that it must refuse."""

from kit.account_tokens import AccountTokens
from kit.accounts import PROJECT_ID
from kit.trial import Refused
from kit.verifier import Publication, Verifier, VerifierRow, VerifierTrial
from kit.versions import installed


def examine(
    trial: VerifierTrial, tokens: AccountTokens, publication: Publication, of_cookies: Publication
) -> VerifierRow:
    """Returns the row of a verifier; raises if anything is not as it must be."""
    verifier = trial.start(publication)
    _check(verifier, tokens, publication)
    # Where this is refused, the tokens to refuse have another flaw than they say.
    verifier.verify(tokens.same_claims)
    accepted = {what for what, token in tokens.to_refuse.items() if _accepts(verifier, token)}
    if accepted != trial.accepts:
        raise AssertionError(f"it accepts {sorted(accepted)}")
    # A verifier with Firebase's issuer knows that of Firebase's cookies by another call, and Google's keys alone.
    if not trial.has_firebase_issuer:
        _check_cookies(trial.start(of_cookies), tokens)
    exceptions = [what for what in tokens.to_refuse if what in accepted]
    result = "verified; refuses all" + (f" but {' and '.join(exceptions)}" if exceptions else "")
    return VerifierRow(
        verifier=trial.verifier,
        version=installed(trial.distribution),
        algorithm=trial.algorithm,
        issuer="Firebase's" if trial.has_firebase_issuer else "the accounts' own",
        settings=trial.settings,
        result=result,
    )


def _check(verifier: Verifier, tokens: AccountTokens, publication: Publication) -> None:
    """Checks that the claims of the genuine token are those of the user and of the account."""
    claims = verifier.verify(tokens.account.id_token)
    expected = {
        "iss": publication.issuer,
        "aud": PROJECT_ID,
        "sub": tokens.account.uid,
        "user_id": tokens.account.uid,
        "email": "ada@example.com",
        "email_verified": True,
        "name": "Ada Example",
    }
    found = {name: claims.get(name) for name in expected}
    if found != expected:
        raise AssertionError(f"the claims are {found}")
    provider = claims["firebase"]["sign_in_provider"]
    if provider != tokens.account.provider_id or len(claims["firebase"]["identities"][provider]) != 1:
        raise AssertionError(f"the claim firebase is {claims['firebase']}")


def _check_cookies(verifier: Verifier, tokens: AccountTokens) -> None:
    """Checks that a verifier of session cookies takes the cookie, and no ID token."""
    claims = verifier.verify(tokens.session_cookie)
    if claims["sub"] != tokens.account.uid:
        raise AssertionError(f"the claims of the cookie are {claims}")
    for token in (tokens.account.id_token, tokens.same_claims):
        if _accepts(verifier, token):
            raise AssertionError("it accepts an ID token for a session cookie")


def _accepts(verifier: Verifier, token: str) -> bool:
    try:
        verifier.verify(token)
    except Refused:
        return False
    return True
