#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @openid4vc/oauth2 0.4.6 introspects each token with the scheme of its header as the hint: `token_type_hint=Bearer`. RFC 7662
# section 2.1 takes hints from the registry of RFC 7009, which has `access_token` and `refresh_token`. @jmondi/oauth2-server
# 4.3.7 answers a hint that it does not know with 400, `unsupported_token_type`, where section 2.1 only lets a server ignore a
# hint or search on. A resource server of the one refuses valid tokens of the other, as "Token is not valid", and the error
# of the introspection is caught and lost.
#
# Seen with these versions on Node.js 20.20.2. Prints request, answer and result, with the hint as sent and without it, and
# fails if they change. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @openid4vc/oauth2@0.4.6 @jmondi/oauth2-server@4.3.7

cat >hint.mjs <<'JS'
import { AuthorizationServer } from '@jmondi/oauth2-server'
import { clientAuthenticationClientSecretPost, verifyResourceRequest } from '@openid4vc/oauth2'

const client = { id: 'app', name: 'app', redirectUris: [], allowedGrants: [], scopes: [] }
let issued
const server = new AuthorizationServer(
    { getByIdentifier: async () => client, isClientValid: async () => true },
    { issueToken: async () => issued = { accessToken: 'access', client, scopes: [] }, persist: async () => {},
        getByAccessToken: async () => issued },
    { getAllByIdentifiers: async () => [], finalize: async () => [] }, 'secret')
server.enableGrantType('client_credentials')
const post = (endpoint, body) => server[endpoint]({ headers: {}, query: {}, body })
const grant = { grant_type: 'client_credentials', client_id: 'app' }
const headers = new Headers({ Authorization: `Bearer ${(await post('respondToAccessTokenRequest', grant)).body.access_token}` })

const issuer = 'https://op.example'
for (const kept of [true, false]) {
    const callbacks = {
        clientAuthentication: clientAuthenticationClientSecretPost({ clientId: 'app', clientSecret: 'secret' }),
        async fetch(address, { body }) { // the provider's introspection endpoint
            const form = new URLSearchParams(body)
            if (!kept) form.delete('token_type_hint')
            const answer = await post('introspect', Object.fromEntries(form)).catch(
                ({ status, errorType }) => ({ status, body: { error: errorType } }))
            const { active, error } = answer.body
            console.log(`hint ${form.get('token_type_hint')}: ${answer.status} ${JSON.stringify({ active, error })}`)
            return Response.json(answer.body, { status: answer.status })
        },
    }
    const metadata = { issuer, token_endpoint: `${issuer}/token`, introspection_endpoint: `${issuer}/introspect` }
    const result = verifyResourceRequest({ callbacks, authorizationServers: [metadata], resourceServer: 'https://api.example',
        request: { method: 'GET', url: 'https://api.example/', headers } })
    console.log('  ' + await result.then(() => 'accepted', error => error.wwwAuthenticateHeaders[0].error_description))
}
JS

seen=$(node hint.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'hint Bearer: 400 {"error":"unsupported_token_type"}
  Token is not valid
hint null: 200 {"active":true}
  accepted' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
