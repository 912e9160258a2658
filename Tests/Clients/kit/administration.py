# SPDX-License-Identifier: Apache-2.0
"""Tries firebase-admin: every call that manages accounts, over the loopback listener, and the same over the public one."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import firebase_admin
import jwt
from firebase_admin import auth, exceptions

from kit import user_import
from kit.accounts import PROJECT_ID
from kit.installation import Installation
from kit.native_sign_in import SignedInAccount, sign_in
from kit.row import AdministrationRow
from kit.user_agent import UserAgent

_PROVIDER_ID = "oidc.development"
_EMAIL = "ada@example.com"


@dataclass(frozen=True)
class Administration:
    """A way by which the SDK reaches the loopback listener.

    `start` returns an app of the SDK. `settings` is Markdown that names what had to be set beside the project. `verifies`
    says whether `verify_id_token` looks at the signature then, which it does not where it takes the server for an emulator.
    `moves` says whether users are imported too, which takes a while.
    """

    name: str
    settings: str
    start: Callable[[Installation], firebase_admin.App]
    verifies: bool
    moves: bool = False


def examine(administration: Administration, installation: Installation) -> AdministrationRow:
    """Returns the row of a way; raises if anything is not as it must be."""
    app = administration.start(installation)
    browser = UserAgent(installation.certificates.authority)
    account = sign_in(installation, browser)
    subject = _see(account, app)
    _change(account, app)
    if not administration.verifies:
        # Elsewhere the SDK asks Google for it.
        _make_cookie(account, app)
    _revoke(account, app, verifies=administration.verifies)
    _refuse(account, app)
    _create(app)
    _delete(account, app)
    another = sign_in(installation, browser)
    result = auth.delete_users([another.uid, account.uid], app)
    _expect((result.success_count, result.failure_count) == (2, 0), "delete_users left an account")
    _expect(not list(auth.list_users(app=app).iterate_all()), "an account is left")
    if administration.moves:
        user_import.move(app, installation, _PROVIDER_ID, subject)
    verification = "" if administration.verifies else ", without the signature"
    return AdministrationRow(
        name=administration.name,
        version=version("firebase-admin"),
        settings=administration.settings,
        result=f"manages {'and imports ' if administration.moves else ''}accounts; "
        f"`verify_id_token(check_revoked=True)`{verification}; what is not offered is refused",
    )


def examine_refusals(
    name: str, settings: str, start: Callable[[Installation], firebase_admin.App], installation: Installation
) -> AdministrationRow:
    """Returns the row of a way over the public listener, where every call must be refused and change nothing."""
    app = start(installation)
    account = sign_in(installation, UserAgent(installation.certificates.authority))
    calls: list[Callable[[], object]] = [
        lambda: auth.get_user(account.uid, app),
        lambda: auth.get_user_by_email(_EMAIL, app),
        lambda: auth.get_users([auth.UidIdentifier(account.uid)], app),
        lambda: auth.list_users(app=app),
        lambda: auth.update_user(account.uid, app=app, disabled=True),
        lambda: auth.set_custom_user_claims(account.uid, {"role": "admin"}, app),
        lambda: auth.revoke_refresh_tokens(account.uid, app),
        lambda: auth.verify_id_token(account.id_token, app, check_revoked=True),
        lambda: auth.delete_user(account.uid, app),
        lambda: auth.delete_users([account.uid], app),
        lambda: auth.create_user(app=app, uid="created"),
        lambda: auth.import_users([auth.ImportUserRecord("imported")], app=app),
    ]
    for number, call in enumerate(calls):
        _must_raise(exceptions.NotFoundError, call, f"call {number}")
    # What was refused has changed nothing: the session of the account goes on.
    again = sign_in(installation, UserAgent(installation.certificates.authority))
    _expect(again.uid == account.uid, "the account is another one")
    claims = jwt.decode(again.id_token, options={"verify_signature": False})
    _expect("role" not in claims, "the account has claims")
    return AdministrationRow(
        name=name, version=version("firebase-admin"), settings=settings, result="all calls are refused"
    )


def _see(account: SignedInAccount, app: firebase_admin.App) -> str:
    """Returns the subject of the user."""
    user = auth.get_user(account.uid, app)
    _expect(user.email == _EMAIL and user.email_verified, f"the address is {user.email}")
    _expect(not user.disabled and user.custom_claims is None, "a new account is disabled or has claims")
    _expect(user.user_metadata.creation_timestamp is not None, "there is no time of creation")
    (identity,) = user.provider_data
    _expect(identity.provider_id == _PROVIDER_ID, f"the provider is {identity.provider_id}")
    _expect(auth.get_user_by_email(_EMAIL.upper(), app).uid == account.uid, "the address finds another account")
    found = auth.get_users(
        [
            auth.UidIdentifier(account.uid),
            auth.EmailIdentifier(_EMAIL),
            auth.ProviderIdentifier(_PROVIDER_ID, identity.uid),
            auth.UidIdentifier("nobody"),
            auth.PhoneIdentifier("+15551234567"),
        ],
        app,
    )
    _expect([each.uid for each in found.users] == [account.uid], f"get_users found {len(found.users)}")
    _expect(len(found.not_found) == 2, f"get_users did not find {len(found.not_found)}")
    page = auth.list_users(max_results=1, app=app)
    _expect([each.uid for each in page.users] == [account.uid], "the first page has another account")
    _expect(not page.has_next_page, "there is a second page")
    _must_raise(auth.UserNotFoundError, lambda: auth.get_user("nobody", app), "an unknown account")
    return str(identity.uid)


def _change(account: SignedInAccount, app: firebase_admin.App) -> None:
    photo = "https://example.com/ada.png"
    user = auth.update_user(account.uid, app=app, display_name="Countess", photo_url=photo)
    _expect((user.display_name, user.photo_url) == ("Countess", photo), "the name or the photo is another")
    user = auth.update_user(
        account.uid, app=app, display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE
    )
    _expect((user.display_name, user.photo_url) == (None, None), "the name or the photo is still there")
    auth.set_custom_user_claims(account.uid, {"role": "admin"}, app)
    _expect(auth.get_user(account.uid, app).custom_claims == {"role": "admin"}, "the claims are others")
    auth.set_custom_user_claims(account.uid, None, app)
    _expect(auth.get_user(account.uid, app).custom_claims is None, "the claims are still there")


def _make_cookie(account: SignedInAccount, app: firebase_admin.App) -> None:
    cookie = auth.create_session_cookie(account.id_token, 300, app)
    claims = jwt.decode(cookie, options={"verify_signature": False})
    _expect(claims["iss"] == f"https://session.firebase.google.com/{PROJECT_ID}", f"the issuer is {claims['iss']}")
    _expect(claims["sub"] == account.uid, "the cookie is another account's")
    _must_raise(auth.InvalidIdTokenError, lambda: auth.create_session_cookie(cookie, 300, app), "a cookie of a cookie")


def _revoke(account: SignedInAccount, app: firebase_admin.App, *, verifies: bool) -> None:
    def verify() -> object:
        return auth.verify_id_token(account.id_token, app, check_revoked=True)

    claims = auth.verify_id_token(account.id_token, app, check_revoked=True)
    _expect(claims["uid"] == account.uid, "the token is another account's")
    if verifies:
        forged = jwt.encode(claims, "", "none", headers={"kid": "none"})
        _must_raise(auth.InvalidIdTokenError, lambda: auth.verify_id_token(forged, app), "a forged token")
    auth.update_user(account.uid, app=app, disabled=True)
    _must_raise(auth.UserDisabledError, verify, "a disabled account")
    auth.update_user(account.uid, app=app, disabled=False)
    verify()
    # The SDK counts in seconds, and takes a token of the same second.
    while int(time.time()) <= claims["iat"]:
        time.sleep(0.05)
    auth.revoke_refresh_tokens(account.uid, app)
    _must_raise(auth.RevokedIdTokenError, verify, "a token from before the revocation")


def _refuse(account: SignedInAccount, app: firebase_admin.App) -> None:
    def update(**changes: object) -> Callable[[], object]:
        return lambda: auth.update_user(account.uid, app=app, **changes)

    refused = exceptions.InvalidArgumentError
    _must_raise(refused, update(providers_to_delete=[_PROVIDER_ID]), "the last identity")
    _must_raise(refused, update(email="eve@example.com"), "another address")
    _must_raise(refused, update(password="a password"), "a password")
    _must_raise(refused, update(custom_claims={"name": "Eve"}), "a reserved claim")
    _must_raise(auth.UserNotFoundError, lambda: auth.delete_user("nobody", app), "an unknown account")
    _must_raise(refused, lambda: auth.generate_email_verification_link(_EMAIL, app=app), "an email")


def _create(app: firebase_admin.App) -> None:
    user = auth.create_user(app=app, uid="created", email="eve@example.com", email_verified=True, disabled=True)
    _expect((user.uid, user.email, user.disabled) == ("created", "eve@example.com", True), f"the user is {user.uid}")
    _must_raise(auth.UidAlreadyExistsError, lambda: auth.create_user(app=app, uid="created"), "a uid in use")
    _must_raise(auth.EmailAlreadyExistsError, lambda: auth.create_user(app=app, email=_EMAIL), "an email in use")
    _must_raise(exceptions.InvalidArgumentError, lambda: auth.create_user(app=app, password="a password"), "a password")
    auth.delete_user("created", app)


def _delete(account: SignedInAccount, app: firebase_admin.App) -> None:
    auth.delete_user(account.uid, app)
    _must_raise(auth.UserNotFoundError, lambda: auth.get_user(account.uid, app), "a deleted account")
    _must_raise(
        auth.UserNotFoundError,
        lambda: auth.verify_id_token(account.id_token, app, check_revoked=True),
        "a token of a deleted account",
    )


def _must_raise(kind: type[Exception], call: Callable[[], object], what: str) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{what} is not refused")


def _expect(condition: bool, otherwise: str) -> None:
    if not condition:
        raise AssertionError(otherwise)


def options() -> dict[str, str]:
    """Returns the options of an app of the SDK."""
    return {"projectId": PROJECT_ID}
