// SPDX-License-Identifier: Apache-2.0
// An app with openid-client, as its documentation shows it.
import * as client from "openid-client";

export async function start({ issuer, clientId, clientSecret, redirectUri }) {
  // By default it verifies no signature of a token that it got over TLS.
  const options = { execute: [client.enableNonRepudiationChecks] };
  const authentication = clientSecret ? undefined : client.None();
  const config = await client.discovery(new URL(issuer), clientId, clientSecret ?? undefined, authentication, options);
  let checks, refreshToken;
  async function signedIn(tokens) {
    const { sub } = tokens.claims();
    const claims = await client.fetchUserInfo(config, tokens.access_token, sub);
    refreshToken = tokens.refresh_token;
    return { sub, claims, id_token: tokens.id_token, refresh_token: refreshToken };
  }
  return {
    async begin() {
      checks = {
        pkceCodeVerifier: client.randomPKCECodeVerifier(),
        expectedState: client.randomState(),
        expectedNonce: client.randomNonce(),
        idTokenExpected: true,
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "openid email profile offline_access",
        code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
        code_challenge_method: "S256",
        state: checks.expectedState,
        nonce: checks.expectedNonce,
      });
      return url.href;
    },

    async complete(callback) {
      return signedIn(await client.authorizationCodeGrant(config, new URL(callback), checks));
    },

    async refresh() {
      return signedIn(await client.refreshTokenGrant(config, refreshToken));
    },

    async revoke() {
      await client.tokenRevocation(config, refreshToken, { token_type_hint: "refresh_token" });
    },
  };
}

export function isRefusal(error) {
  const kinds = [client.AuthorizationResponseError, client.ResponseBodyError];
  // What the library says of a response; of a network that fails it says it with other codes.
  return kinds.some((kind) => error instanceof kind) || error.code === "OAUTH_INVALID_RESPONSE";
}
