# SPDX-License-Identifier: Apache-2.0
"""idpyoidc as an OpenID Provider with DPoP and pushed requests, which signs its only user in without a page."""

import json
import os
import sys
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, Response, make_response, redirect, request
from idpyoidc.message.oauth2 import ResponseMessage
from idpyoidc.message.oidc import AccessTokenRequest, AuthorizationRequest
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.endpoint import Endpoint

_SERVER = "idpyoidc.server"
_METADATA = ".well-known/openid-configuration"
_METHODS = ["client_secret_basic", "client_secret_post", "private_key_jwt"]
_SECRETS = {"key_defs": [{"type": "OCT", "use": ["enc"], "kid": kid} for kid in ("password", "salt")]}
_CIPHER = {"kwargs": {"keys": _SECRETS, "iterations": 1}}
_TOKEN_KEYS = {"key_defs": [{"type": "oct", "bytes": 24, "use": ["enc"], "kid": "code"}]}
_SIGNING_KEYS = [{"type": "RSA", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}]


class _Request(AuthorizationRequest):
    """A request that may be a reference alone (RFC 9126 section 4), which idpyoidc refuses by itself."""

    def verify(self, **arguments: object) -> bool:
        return "request_uri" in self or bool(super().verify(**arguments))


def main(settings_file: Path) -> None:
    """Serves until it is told to end."""
    settings = json.loads(settings_file.read_text())
    # It writes a file of keys into its folder.
    os.chdir(settings_file.parent)
    server = Server(OPConfiguration(_configuration(settings["issuer"]), base_path="."), cwd=".")
    for client_id, client in settings["clients"].items():
        uris = [(uri, {}) for uri in client["redirect_uris"]]
        server.context.cdb[client_id] = {"client_salt": client_id, **client, "redirect_uris": uris}
    server.get_endpoint("authorization").request_cls = _Request
    application = Flask(__name__)
    application.add_url_rule("/jwks", "jwks", server.keyjar.export_jwks)
    for name, endpoint in server.endpoint.items():
        view = partial(_respond, endpoint)
        application.add_url_rule(urlsplit(endpoint.full_path).path, name, view, methods=["GET", "POST"])
    address = urlsplit(settings["issuer"])
    application.run(address.hostname, address.port, ssl_context=(settings["certificate"], settings["private_key"]))


def _configuration(issuer: str) -> dict[str, object]:
    add_on = f"{_SERVER}.oauth2.add_on"
    return {
        "issuer": issuer,
        "httpc_params": {"verify": False},
        "keys": {"uri_path": "jwks", "key_defs": _SIGNING_KEYS},
        "preference": {"response_types_supported": ["code"], "subject_types_supported": ["public"]},
        "add_on": {
            "pkce": {"function": f"{add_on}.pkce.add_support", "kwargs": {"essential": True}},
            "dpop": {
                "function": f"{add_on}.dpop.add_support",
                "kwargs": {"dpop_signing_alg_values_supported": ["ES256"]},
            },
        },
        "endpoint": {
            "provider_config": _endpoint(_METADATA, "oidc.provider_config.ProviderConfiguration"),
            "authorization": _endpoint("authorization", "oidc.authorization.Authorization"),
            "token": _endpoint("token", "oidc.token.Token", _METHODS),
            "pushed_authorization": _endpoint("par", "oauth2.pushed_authorization.PushedAuthorization", _METHODS),
            "userinfo": _endpoint("userinfo", "oidc.userinfo.UserInfo", ["bearer_header"]),
        },
        "authentication": {
            "user": {"acr": "none", "class": f"{_SERVER}.user_authn.user.NoAuthn", "kwargs": {"user": "diana"}}
        },
        "userinfo": {
            "class": f"{_SERVER}.user_info.UserInfo",
            "kwargs": {"db": {"diana": {"email": "diana@example.com", "email_verified": True, "name": "Diana"}}},
        },
        "token_handler_args": {
            "jwks_def": _TOKEN_KEYS,
            "code": {"lifetime": 60, "kwargs": {"crypt_conf": _CIPHER}},
            "token": {"class": f"{_SERVER}.token.jwt_token.JWTToken", "kwargs": {"lifetime": 600}},
            "id_token": {
                "class": f"{_SERVER}.token.id_token.IDToken",
                "kwargs": {"base_claims": {"email": None, "email_verified": None, "name": None}},
            },
        },
        "session_params": {"encrypter": _CIPHER},
        "template_dir": ".",
    }


def _endpoint(path: str, name: str, methods: list[str] | None = None) -> dict[str, object]:
    return {"path": path, "class": f"{_SERVER}.{name}", "kwargs": {"client_authn_method": methods}}


def _respond(endpoint: Endpoint) -> Response:
    """Hands the request to an endpoint, and makes its answer a response, as the example of idpyoidc does."""
    http_info = {"headers": dict(request.headers.items(lower=True)), "method": request.method, "url": request.base_url}
    parameters = (request.args if request.method == "GET" else request.form).to_dict()
    try:
        parsed = endpoint.parse_request(parameters, http_info=http_info)
        if isinstance(parsed, ResponseMessage) and "error" in parsed:
            return make_response(parsed.to_dict(), 400)
        if endpoint.name == "token":
            parsed = AccessTokenRequest(**parsed)
        result = endpoint.process_request(parsed, http_info=http_info)
    except Exception as error:
        return make_response({"error": "invalid_request", "error_description": repr(error)}, 400)
    if "http_response" in result:
        return make_response(result["http_response"], 201)
    answer = endpoint.do_response(request=parsed, **result)
    if answer.get("response_placement", endpoint.response_placement) == "url":
        return redirect(answer["response"])
    return make_response(answer["response"], 400 if "error" in result else 200, answer["http_headers"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
