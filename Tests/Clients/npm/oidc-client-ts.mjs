// SPDX-License-Identifier: Apache-2.0
// An app with the user manager of oidc-client-ts, which keeps everything in memory where there is no window.
import { ErrorResponse, UserManager } from "oidc-client-ts";

export async function start({ issuer, clientId, redirectUri }) {
  let leave;
  const navigator = { prepare: async () => ({ navigate: async ({ url }) => leave(url), close() {} }) };
  const manager = new UserManager(
    {
      authority: issuer,
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "openid email profile offline_access",
      loadUserInfo: true,
      automaticSilentRenew: false,
    },
    navigator,
  );
  const signedIn = ({ profile, id_token, refresh_token }) => ({ sub: profile.sub, claims: profile, id_token, refresh_token });
  return {
    begin: () =>
      new Promise((resolve, reject) => {
        leave = resolve;
        manager.signinRedirect({ nonce: crypto.randomUUID() }).catch(reject);
      }),
    complete: async (callback) => signedIn(await manager.signinRedirectCallback(callback)),
    refresh: async () => signedIn(await manager.signinSilent()),
    revoke: () => revoke(manager),
  };
}

// It forgets the token that it revokes, which the app then offers once more.
async function revoke(manager) {
  const user = await manager.getUser();
  const revoked = user.refresh_token;
  await manager.revokeTokens(["refresh_token"]);
  user.refresh_token = revoked;
  await manager.storeUser(user);
}

export function isRefusal(error) {
  return error instanceof ErrorResponse || error.message === "No matching state found in storage";
}
