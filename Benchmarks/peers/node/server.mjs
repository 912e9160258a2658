// SPDX-License-Identifier: Apache-2.0

// A minimal relying party in Node, after openid-client's own examples: state, nonce and PKCE verifier in one
// cookie, a session in memory. Configured by the environment; see Benchmarks/targets/openid-client.json.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import * as client from 'openid-client';

const { ALGORITHM, CLIENT_ID, CLIENT_SECRET, ISSUER, PORT, PUBLIC_URL, TLS_CERTIFICATE, TLS_PRIVATE_KEY } = process.env;

// The maximum number of sessions. The oldest are removed first.
const mostSessions = 4096;
const sessions = new Map();
const secure = PUBLIC_URL.startsWith('https:') ? '; Secure' : '';

const provider = await client.discovery(
  new URL(ISSUER), CLIENT_ID, { client_secret: CLIENT_SECRET, id_token_signed_response_alg: ALGORITHM }, undefined,
  { execute: ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : [] });
// Otherwise openid-client does not verify the signature of an ID token from a direct connection.
client.enableNonRepudiationChecks(provider);

function cookies(request) {
  const found = new Map();
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0) found.set(pair.slice(0, equals).trim(), pair.slice(equals + 1));
  }
  return found;
}

function cookie(name, value, age) {
  return `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}

async function start(response) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: `${PUBLIC_URL}/callback`, scope: 'openid email profile', state, nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  response.writeHead(302, { Location: url.href, 'Set-Cookie': cookie('login', `${state}.${nonce}.${verifier}`, 600) });
  response.end();
}

async function callback(request, response) {
  const [expectedState, expectedNonce, pkceCodeVerifier] = (cookies(request).get('login') ?? '').split('.');
  if (!pkceCodeVerifier) throw new Error('no login');
  const tokens = await client.authorizationCodeGrant(provider, new URL(request.url, PUBLIC_URL), {
    expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true,
  });
  const { sub, email, name } = tokens.claims();
  const id = randomBytes(24).toString('base64url');
  if (sessions.size >= mostSessions) sessions.delete(sessions.keys().next().value);
  sessions.set(id, { sub, email, name });
  response.writeHead(302, {
    Location: '/me', 'Set-Cookie': [cookie('login', '', 0), cookie('session', id, 3600)],
  });
  response.end();
}

function me(request, response) {
  const person = sessions.get(cookies(request).get('session'));
  response.writeHead(person ? 200 : 401, { 'Content-Type': 'text/plain' });
  response.end(person ? person.sub : 'no session');
}

async function respond(request, response) {
  const path = request.url.split('?', 1)[0];
  try {
    if (path === '/start') await start(response);
    else if (path === '/callback') await callback(request, response);
    else if (path === '/me') me(request, response);
    else response.writeHead(404).end();
  } catch {
    response.writeHead(401, { 'Content-Type': 'text/plain' }).end('the callback is not valid');
  }
}

const server = TLS_CERTIFICATE
  ? createSecureServer({ cert: readFileSync(TLS_CERTIFICATE), key: readFileSync(TLS_PRIVATE_KEY) }, respond)
  : createPlainServer(respond);
server.keepAliveTimeout = 75_000;
server.listen(Number(PORT), '127.0.0.1');
