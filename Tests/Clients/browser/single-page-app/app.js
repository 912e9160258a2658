// SPDX-License-Identifier: Apache-2.0

// A public app without a server of its own: the code flow with PKCE (OAuth 2.0 for Browser-Based Applications).

import { verified } from "/id-token.js";

const configuration = await (await fetch("/configuration.json")).json();
const { issuer, clientID, redirectURI } = configuration;
const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();

const base64url = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

// What the page shows when it is done, for the person and for the test.
const show = (result) => (document.querySelector("#result").textContent = JSON.stringify(result, null, 2));

async function signIn() {
    const login = { state: random(), nonce: random(), verifier: random() };
    sessionStorage.setItem("login", JSON.stringify(login));
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(login.verifier));
    location.assign(`${metadata.authorization_endpoint}?${new URLSearchParams({
        client_id: clientID, redirect_uri: redirectURI, response_type: "code", scope: "openid email profile",
        state: login.state, nonce: login.nonce, code_challenge: base64url(digest), code_challenge_method: "S256",
    })}`);
}

async function finish(response) {
    const login = JSON.parse(sessionStorage.getItem("login") ?? "null");
    sessionStorage.removeItem("login");
    history.replaceState(null, "", location.pathname);
    if (response.get("state") !== login?.state) throw new Error("another state");
    if (response.get("iss") !== issuer) throw new Error("another iss (RFC 9207)");
    if (response.has("error")) throw new Error(`${response.get("error")}: ${response.get("error_description")}`);
    const form = {
        grant_type: "authorization_code", code: response.get("code"), code_verifier: login.verifier,
        redirect_uri: redirectURI, client_id: clientID,
    };
    // The test redeems this code from another page.
    if (sessionStorage.getItem("holds-code")) return { form };
    const redeemed = await fetch(metadata.token_endpoint, { method: "POST", body: new URLSearchParams(form) });
    const tokens = await redeemed.json();
    if (!redeemed.ok) throw new Error(`token endpoint: ${tokens.error}: ${tokens.error_description}`);
    const keys = await (await fetch(metadata.jwks_uri)).json();
    const { claims, algorithm } = await verified(tokens.id_token, keys, { issuer, clientID, nonce: login.nonce });
    const userInfo = await (await fetch(metadata.userinfo_endpoint, {
        headers: { Authorization: `Bearer ${tokens.access_token}` },
    })).json();
    if (userInfo.sub !== claims.sub) throw new Error("UserInfo has another sub");
    return { sub: claims.sub, algorithm, accessToken: tokens.access_token };
}

document.querySelector("#sign-in").addEventListener("click", () => signIn());
const response = new URLSearchParams(location.search);
if (response.has("state")) {
    try {
        show(await finish(response));
    } catch (error) {
        show({ error: String(error) });
    }
} else {
    show({ ready: true });
}
