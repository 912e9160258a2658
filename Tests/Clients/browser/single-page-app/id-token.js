// SPDX-License-Identifier: Apache-2.0

// Verification of an ID token (OpenID Connect Core 1.0 section 3.1.3.7) by Web Crypto.

const algorithms = {
    RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
};

const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
const object = (text) => JSON.parse(new TextDecoder().decode(bytes(text)));

// Returns the claims and the algorithm of a token; throws if the token is not one for this login.
export async function verified(token, keys, expected) {
    const [header, payload, signature] = token.split(".");
    const { alg, kid } = object(header);
    const algorithm = algorithms[alg];
    const jwk = keys.keys.find((key) => key.kid === kid && key.alg === alg);
    if (!algorithm || !jwk) throw new Error("no key for the ID token");
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    if (!(await crypto.subtle.verify(algorithm, key, bytes(signature), signed))) {
        throw new Error("the signature of the ID token is wrong");
    }
    const claims = object(payload);
    if (claims.iss !== expected.issuer) throw new Error("the ID token has another issuer");
    if (claims.aud !== expected.clientID) throw new Error("the ID token has another audience");
    if (claims.nonce !== expected.nonce) throw new Error("the ID token has another nonce");
    if (claims.exp * 1000 <= Date.now()) throw new Error("the ID token has expired");
    return { claims, algorithm: alg };
}
