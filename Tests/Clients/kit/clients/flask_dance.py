# SPDX-License-Identifier: Apache-2.0
"""Flask-Dance's custom blueprint in a Flask app, which takes the user from UserInfo."""

from urllib.parse import urlsplit

from flask import Flask
from flask_dance.consumer import OAuth2ConsumerBlueprint, oauth_error
from oauthlib.oauth2 import OAuth2Error

from kit.app import App
from kit.callback import Callback
from kit.registration import Registration
from kit.trial import Refused, SignedIn, SignIn, Trial


class FlaskDance(SignIn):
    """An app, and the session of a browser there."""

    def __init__(self, registration: Registration) -> None:
        metadata = registration.metadata()
        self._blueprint = OAuth2ConsumerBlueprint(
            "broker",
            __name__,
            client_id=registration.client_id,
            client_secret=registration.secret,
            authorization_url=metadata["authorization_endpoint"],
            token_url=metadata["token_endpoint"],
            scope=["openid", "email", "profile"],
            use_pkce=True,
        )
        self._user_info = metadata["userinfo_endpoint"]
        self._app = Flask(__name__)
        self._app.secret_key = registration.secret
        self._app.register_blueprint(self._blueprint)
        self._client = self._app.test_client()
        parts = urlsplit(registration.redirect_uri)
        self._base = f"{parts.scheme}://{parts.netloc}"

    def begin(self) -> str:
        return str(self._client.get("/broker", base_url=self._base).location)

    def complete(self, callback: Callback) -> SignedIn:
        refusals: list[object] = []
        with oauth_error.connected_to(lambda _, **error: refusals.append(error), self._blueprint), self._client:
            try:
                response = self._client.get(callback.target, base_url=self._base)
            except OAuth2Error as error:
                raise Refused from error
            if refusals or response.location != "/":
                raise Refused
            claims = self._blueprint.session.get(self._user_info).json()
            return SignedIn(claims["sub"], claims, self._blueprint.token["id_token"])


TRIALS = [
    Trial(
        client="flask-dance",
        distribution="Flask-Dance",
        app=App("flaskdance", "https://flaskdance.example/broker/authorized"),
        settings="`use_pkce=True`; `scope` with `openid`",
        start=FlaskDance,
    ),
]
