// SPDX-License-Identifier: Apache-2.0
// A verifier with jose, as its documentation shows it.
import { createRemoteJWKSet, errors, jwtVerify } from "jose";

export async function start({ issuer, audience }) {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const metadata = await response.json();
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
  const options = {
    issuer,
    audience,
    algorithms: metadata.id_token_signing_alg_values_supported,
    requiredClaims: ["sub"],
    // Without it an `iat` in the future is not looked at.
    maxTokenAge: "1 hour",
  };
  return {
    async verify(token) {
      return (await jwtVerify(token, keys, options)).payload;
    },
  };
}

export function isRefusal(error) {
  // These two are of the keys: their address answers with something else, or not in time.
  return error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC" && error.code !== "ERR_JWKS_TIMEOUT";
}
