// SPDX-License-Identifier: Apache-2.0
// An app with the client of the Model Context Protocol, and the server with which it speaks: an API of the broker.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";

// What the server answers: that a token is needed, where one is to be had, or what was asked for.
function server(issuer, keys, resource) {
  const place = `${new URL(resource).origin}/.well-known/oauth-protected-resource${new URL(resource).pathname}`;
  const results = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: {}, serverInfo: { name: "orders", version: "1" } }),
    ping: () => ({}),
  };
  let refused;
  return {
    // The tokens of now are refused as if they had expired.
    expire: (token) => (refused = token),
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.url === place) return Response.json({ resource, authorization_servers: [issuer] });
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const token = request.headers.get("authorization")?.replace("Bearer ", "");
      try {
        if (token === refused) throw new Error("expired");
        await jwtVerify(token ?? "", keys, { issuer, audience: resource, typ: "at+jwt" });
      } catch {
        const headers = { "WWW-Authenticate": `Bearer resource_metadata="${place}"` };
        return new Response(null, { status: 401, headers });
      }
      const { id, method, params } = await request.json();
      if (id === undefined) return new Response(null, { status: 202 });
      if (!results[method]) return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: method } });
      return Response.json({ jsonrpc: "2.0", id, result: results[method](params) });
    },
  };
}

export async function start({ issuer, clientId, redirectUri, resource }) {
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const api = server(issuer, createRemoteJWKSet(new URL(metadata.jwks_uri)), resource);
  const isAPI = (input) => new URL(input.url ?? input).origin === new URL(resource).origin;
  let url, saved, verifier, discovered;
  const provider = {
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri], scope: "openid email profile offline_access" },
    clientInformation: () => ({ client_id: clientId }),
    state: () => crypto.randomUUID(),
    tokens: () => saved,
    saveTokens: (tokens) => (saved = tokens),
    redirectToAuthorization: (to) => (url = to.href),
    saveCodeVerifier: (made) => (verifier = made),
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => (discovered = state),
    discoveryState: () => discovered,
    invalidateCredentials() {},
  };
  const connection = () =>
    new StreamableHTTPClientTransport(new URL(resource), {
      authProvider: provider,
      fetch: (input, init) => (isAPI(input) ? api.fetch(input, init) : fetch(input, init)),
    });
  async function connected(transport) {
    const client = new Client({ name: clientId, version: "1" });
    await client.connect(transport);
    return client;
  }
  let transport, client;
  function signedIn() {
    const { access_token, id_token, refresh_token } = saved;
    return { sub: decodeJwt(access_token).sub, claims: decodeJwt(id_token), id_token, refresh_token };
  }
  return {
    async begin() {
      saved = undefined;
      transport = connection();
      await connected(transport).catch((error) => {
        if (!(error instanceof UnauthorizedError)) throw error;
      });
      return url;
    },

    async complete(callback) {
      await transport.finishAuth(new URL(callback).searchParams);
      client = await connected(connection());
      await client.ping();
      return signedIn();
    },

    async refresh() {
      api.expire(saved.access_token);
      await client.ping();
      return signedIn();
    },

    async revoke() {
      const body = new URLSearchParams({ token: saved.refresh_token, client_id: clientId });
      await fetch(metadata.revocation_endpoint, { method: "POST", body });
    },
  };
}

export function isRefusal(error) {
  return error instanceof UnauthorizedError || error.name === "OAuthError";
}
