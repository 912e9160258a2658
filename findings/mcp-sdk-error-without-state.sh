#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The authorization server of the MCP SDK for TypeScript 1.32.2 returns most errors without `state`. RFC 6749 section 4.1.2.1:
# `state` is REQUIRED in an error response if it was in the request. The handler reads it together with the parameters that it
# refuses, and only if all are right. A client that finds its request by `state` takes the answer for a forged one, and
# waits on. The code is `invalid_request` for all: the same section has `unsupported_response_type`, and RFC 8707 section 2
# lets a client name several resources, with `invalid_target` from a server that does not take them.
#
# Seen with @modelcontextprotocol/sdk 1.32.2 and express 5.3.0 on Node.js 20.20.2. Prints the responses, and fails if they
# change. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @modelcontextprotocol/sdk@1.32.2 express@5.3.0

cat >state.mjs <<'JS'
import http from 'node:http'
import { InvalidScopeError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { authorizationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/authorize.js'
import express from 'express'

const redirect_uri = 'https://app.example/callback'
const provider = {
    clientsStore: { getClient: async () => ({ client_id: 'app', redirect_uris: [redirect_uri] }) },
    async authorize(client, { scopes, state }, response) {
        if (scopes.includes('unknown')) throw new InvalidScopeError('unknown')
        response.redirect(`${redirect_uri}?code=code&state=${state}`)
    },
}
const server = http.createServer(express().use('/authorize', authorizationHandler({ provider })))
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const valid = [['client_id', 'app'], ['redirect_uri', redirect_uri], ['response_type', 'code'], ['state', 'a-state'],
    ['code_challenge', 'c'.repeat(43)], ['code_challenge_method', 'S256'], ['resource', 'https://one.example/']]
const requests = {
    valid,
    'unknown scope': [...valid, ['scope', 'unknown']],
    'without code_challenge': valid.filter(([name]) => name !== 'code_challenge'),
    'response_type id_token': valid.map(([name, value]) => [name, value === 'code' ? 'id_token' : value]),
    'two resources': [...valid, ['resource', 'https://two.example/']],
}
for (const [name, parameters] of Object.entries(requests)) {
    const address = `http://127.0.0.1:${server.address().port}/authorize?${new URLSearchParams(parameters)}`
    const { searchParams } = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location'))
    console.log(`${name}: ${searchParams.get('error') ?? 'code'}, state ${searchParams.get('state')}`)
}
server.close().closeAllConnections()
JS

seen=$(node state.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "valid: code, state a-state
unknown scope: invalid_scope, state a-state
without code_challenge: invalid_request, state null
response_type id_token: invalid_request, state null
two resources: invalid_request, state null" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
