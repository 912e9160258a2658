// SPDX-License-Identifier: Apache-2.0
// A confidential app with MSAL for Node.js, at an authority that is not Microsoft's.
import { AuthError, ConfidentialClientApplication, CryptoProvider } from "@azure/msal-node";

export async function start({ issuer, clientId, clientSecret, redirectUri }) {
  const app = new ConfidentialClientApplication({
    auth: { clientId, clientSecret, authority: issuer, knownAuthorities: [new URL(issuer).host] },
    system: { protocolMode: "OIDC" },
  });
  const made = new CryptoProvider();
  const request = { scopes: ["email"], redirectUri };
  let checks, account;
  const kept = () => Object.values(JSON.parse(app.getTokenCache().serialize()).RefreshToken)[0].secret;
  function signedIn(result) {
    account = result.account;
    return { sub: result.uniqueId, claims: result.idTokenClaims, id_token: result.idToken, refresh_token: kept() };
  }
  return {
    async begin() {
      const { verifier, challenge } = await made.generatePkceCodes();
      checks = { codeVerifier: verifier, state: made.createNewGuid(), nonce: made.createNewGuid() };
      const { state, nonce } = checks;
      return app.getAuthCodeUrl({ ...request, state, nonce, codeChallenge: challenge, codeChallengeMethod: "S256" });
    },

    async complete(callback) {
      const response = Object.fromEntries(new URL(callback).searchParams);
      return signedIn(await app.acquireTokenByCode({ ...request, ...checks, code: response.code }, response));
    },

    refresh: async () => signedIn(await app.acquireTokenSilent({ scopes: request.scopes, account, forceRefresh: true })),

    async revoke() {
      const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
      const body = new URLSearchParams({ token: kept(), client_id: clientId, client_secret: clientSecret });
      await fetch(metadata.revocation_endpoint, { method: "POST", body });
    },
  };
}

export function isRefusal(error) {
  return error instanceof AuthError;
}
