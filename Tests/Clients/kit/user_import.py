# SPDX-License-Identifier: Apache-2.0
"""Moves users with firebase-admin: 10,000 of them come with their claims, and go again."""

import json

import firebase_admin
import jwt
from firebase_admin import auth

from kit.installation import Installation
from kit.native_sign_in import sign_in
from kit.user_agent import UserAgent

_COUNT = 10_000
# The most that the SDK takes in one call.
_BATCH = 1000
_CREATED, _SEEN = 1_500_000_000_000, 1_600_000_000_000


def move(app: firebase_admin.App, installation: Installation, provider_id: str, subject: str) -> None:
    """Imports users, of whom the user at the provider is the first, and deletes them; raises if anything is wrong."""
    records = [_record(number) for number in range(_COUNT)]
    records[0].provider_data = [auth.UserProvider(subject, provider_id)]
    _import(records, app)
    before = _listed(app)
    _expect(before == {each.uid: _members(each) for each in records}, "what is listed is not what was imported")
    _import(records, app)
    _expect(_listed(app) == before, "a second import changed something")

    account = sign_in(installation, UserAgent(installation.certificates.authority))
    _expect(account.uid == records[0].uid, f"the uid is {account.uid}")
    claims = jwt.decode(account.id_token, options={"verify_signature": False})
    _expect((claims["role"], claims["number"]) == ("reader", 0), "the claims are others")

    taken = auth.ImportUserRecord("another", provider_data=[auth.UserProvider(subject, provider_id)])
    result = auth.import_users([auth.ImportUserRecord("one more"), taken], app=app)
    _expect([each.index for each in result.errors] == [1], f"the errors are {result.errors}")
    uids = ["one more", *(each.uid for each in records)]
    for start in range(0, len(uids), _BATCH):
        part = uids[start : start + _BATCH]
        _expect(auth.delete_users(part, app).success_count == len(part), "delete_users left an account")
    _expect(not _listed(app), "an account is left")


def _record(number: int) -> auth.ImportUserRecord:
    return auth.ImportUserRecord(
        f"user of Firebase {number:05}",
        email=f"user-{number}@example.org",
        email_verified=number % 2 == 0,
        display_name=f"User {number}",
        custom_claims={"role": "reader", "number": number},
        user_metadata=auth.UserMetadata(_CREATED + number, _SEEN),
        provider_data=[auth.UserProvider(f"g-{number}", "google.com")],
    )


def _import(records: list[auth.ImportUserRecord], app: firebase_admin.App) -> None:
    for start in range(0, len(records), _BATCH):
        result = auth.import_users(records[start : start + _BATCH], app=app)
        _expect(result.failure_count == 0, f"users were not taken: {[each.reason for each in result.errors][:3]}")


def _members(record: auth.ImportUserRecord) -> str:
    identities = [(each.provider_id, each.uid) for each in record.provider_data]
    members = (record.email, record.email_verified, record.display_name, record.custom_claims, identities)
    return json.dumps([*members, record.user_metadata.creation_timestamp, record.user_metadata.last_sign_in_timestamp])


def _listed(app: firebase_admin.App) -> dict[str, str]:
    return {each.uid: _members(each) for each in auth.list_users(app=app).iterate_all()}


def _expect(condition: bool, otherwise: str) -> None:
    if not condition:
        raise AssertionError(otherwise)
