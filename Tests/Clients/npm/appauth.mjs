// SPDX-License-Identifier: Apache-2.0
// An app with AppAuth-JS, which neither verifies ID tokens nor asks for UserInfo.
import { register } from "node:module";

// Its modules name each other as for a bundler, without a suffix.
const resolve = `export const resolve = (name, context, next) => next(name, context).catch(() => next(name + ".js", context));`;
register(`data:text/javascript,${encodeURIComponent(resolve)}`);
const appauth = await import("@openid/appauth");
const { NodeCrypto } = await import("@openid/appauth/built/src/node_support/crypto_utils.js");

const { AuthorizationRequest, AuthorizationServiceConfiguration, BaseTokenRequestHandler, TokenRequest } = appauth;

class Handler extends appauth.AuthorizationRequestHandler {
  url = this.buildRequestUrl;
}

export async function start({ issuer, clientId, redirectUri }) {
  const requestor = new appauth.FetchRequestor();
  const configuration = await AuthorizationServiceConfiguration.fetchFromIssuer(issuer, requestor);
  const handler = new BaseTokenRequestHandler(requestor);
  let request, refreshToken;
  async function tokens(values) {
    const form = new TokenRequest({ client_id: clientId, redirect_uri: redirectUri, ...values });
    const response = await handler.performTokenRequest(configuration, form);
    const headers = { Authorization: `Bearer ${response.accessToken}` };
    const claims = await requestor.xhr({ url: configuration.userInfoEndpoint, method: "GET", dataType: "json", headers });
    refreshToken = response.refreshToken;
    return { sub: claims.sub, claims, id_token: response.idToken, refresh_token: refreshToken };
  }
  return {
    async begin() {
      const scope = "openid email profile offline_access";
      request = new AuthorizationRequest({ client_id: clientId, redirect_uri: redirectUri, scope }, new NodeCrypto());
      await request.setupCodeVerifier();
      return new Handler(new appauth.BasicQueryStringUtils(), new NodeCrypto()).url(configuration, request);
    },

    complete: (callback) =>
      tokens({
        grant_type: appauth.GRANT_TYPE_AUTHORIZATION_CODE,
        code: new URL(callback).searchParams.get("code"),
        extras: { code_verifier: request.internal.code_verifier },
      }),

    refresh: () => tokens({ grant_type: appauth.GRANT_TYPE_REFRESH_TOKEN, refresh_token: refreshToken }),

    async revoke() {
      const form = new appauth.RevokeTokenRequest({ token: refreshToken, client_id: clientId });
      await handler.performRevokeTokenRequest(configuration, form);
    },
  };
}

export function isRefusal(error) {
  return error instanceof appauth.AppAuthError;
}
