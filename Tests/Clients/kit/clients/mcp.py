# SPDX-License-Identifier: Apache-2.0
"""The client of the Model Context Protocol, and the server with which it speaks: an API of the broker."""

import asyncio
import base64
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import jwt
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthTokenError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kit.app import RESOURCES, App
from kit.callback import Callback
from kit.registration import Registration
from kit.revocation import revoke
from kit.trial import Refused, SignedIn, SignIn, Trial

_SERVER = RESOURCES["orders"]
_ORIGIN, _, _NAME = _SERVER.rpartition("/")
_METADATA_PATH = f"/.well-known/oauth-protected-resource/{_NAME}"


class MCP(SignIn):
    """A client that was registered by hand, with the tokens of one user."""

    def __init__(self, registration: Registration) -> None:
        self._registration = registration
        self._loop = asyncio.new_event_loop()
        self._transport = httpx2.ASGITransport(_server(registration))
        self._storage = _Storage(registration)
        self._provider = self._authorization()
        self._url: asyncio.Future[str] = self._loop.create_future()
        self._callback: asyncio.Future[AuthorizationCodeResult] = self._loop.create_future()
        self._call: asyncio.Task[None] | None = None

    def begin(self) -> str:
        self._storage = _Storage(self._registration)
        self._provider = self._authorization()
        self._url, self._callback = self._loop.create_future(), self._loop.create_future()
        self._call = self._loop.create_task(self._ping())
        return self._loop.run_until_complete(self._url)

    def complete(self, callback: Callback) -> SignedIn:
        if self._call is None:
            # It waits for a callback only after it sent the user to sign in.
            self.begin()
        self._callback.set_result(AuthorizationCodeResult(**callback.parameters))
        return self._signed_in()

    def refresh(self) -> SignedIn:
        # The token of now is taken for expired.
        self._provider.context.token_expiry_time = 0.001
        self._call = self._loop.create_task(self._ping())
        return self._signed_in()

    def revoke(self) -> None:
        revoke(self._registration, self._storage.refresh_token)

    def _signed_in(self) -> SignedIn:
        """Returns the user with whose token the server answered; raises Refused if there is none."""
        call, self._call = self._call, None
        assert call is not None
        try:
            self._loop.run_until_complete(call)
        except Exception as error:
            if any(isinstance(each, (OAuthFlowError, OAuthTokenError)) for each in _leaves(error)):
                raise Refused from error
            raise
        assert self._storage.tokens is not None
        body = self._storage.tokens.access_token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return SignedIn(claims["sub"], claims, refresh_token=self._storage.refresh_token)

    def _authorization(self) -> OAuthClientProvider:
        async def redirect(url: str) -> None:
            if self._url.done():
                raise OAuthFlowError("it needs another sign-in")
            self._url.set_result(url)

        async def callback() -> AuthorizationCodeResult:
            return await self._callback

        return OAuthClientProvider(
            _SERVER, _metadata(self._registration), self._storage, redirect_handler=redirect, callback_handler=callback
        )

    async def _ping(self) -> None:
        """Connects to the server, which asks for a token, and waits for an answer."""
        async with (
            httpx2.AsyncClient(auth=self._provider, mounts={_ORIGIN: self._transport}) as http,
            streamable_http_client(_SERVER, http_client=http) as streams,
            ClientSession(*streams) as session,
        ):
            await session.initialize()
            await session.send_ping()


class _Storage:
    """What the client keeps: its registration, and the tokens of the user."""

    def __init__(self, registration: Registration) -> None:
        self._registration = registration
        self.tokens: OAuthToken | None = None

    @property
    def refresh_token(self) -> str:
        if self.tokens is None or self.tokens.refresh_token is None:
            raise RuntimeError("there is no refresh token")
        return self.tokens.refresh_token

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull:
        metadata = _metadata(self._registration).model_dump()
        return OAuthClientInformationFull(**metadata, client_id=self._registration.client_id)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        raise RuntimeError("it registers itself")


def _metadata(registration: Registration) -> OAuthClientMetadata:
    return OAuthClientMetadata(redirect_uris=[registration.redirect_uri], token_endpoint_auth_method="none")


def _server(registration: Registration) -> Starlette:
    """Returns a server that takes the access tokens of the broker for the API that it is."""
    keys = jwt.PyJWKClient(registration.metadata()["jwks_uri"])
    results: dict[str, Any] = {
        "initialize": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "serverInfo": {"name": _NAME, "version": "1"},
        },
        "ping": {},
    }

    async def about(_: Request) -> Response:
        scopes = ["openid", "email", "profile", "offline_access"]
        authorization = {"authorization_servers": [registration.issuer], "scopes_supported": scopes}
        return JSONResponse({"resource": _SERVER, **authorization})

    async def call(request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        try:
            key = keys.get_signing_key_from_jwt(token)
            jwt.decode(token, key, algorithms=["RS256", "ES256"], audience=_SERVER, issuer=registration.issuer)
        except jwt.PyJWTError:
            challenge = f'Bearer resource_metadata="{_ORIGIN}{_METADATA_PATH}"'
            return Response(status_code=401, headers={"WWW-Authenticate": challenge})
        message = await request.json()
        if "id" not in message:
            return Response(status_code=202)
        return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]})

    return Starlette(routes=[Route(_METADATA_PATH, about), Route(f"/{_NAME}", call, methods=["POST"])])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors of which a group is made."""
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    for each in error.exceptions:
        yield from _leaves(each)


TRIALS = [
    Trial(
        client="mcp",
        distribution="mcp",
        app=App("mcp", "https://mcp.example/callback", is_public=True, keeps_sessions=True),
        settings="pre-registered, with `token_endpoint_auth_method` `none`; the app revokes. It sends `resource` in all "
        "its requests, and its server takes the access tokens of an API",
        start=MCP,
        claims=frozenset(),
    ),
]
