#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# passport-apple 2.0.2: a user who cancels at Apple never gets to `failureRedirect`. Apple posts the response (OAuth 2.0 Form
# Post Response Mode), with `error=user_cancelled_authorize`. passport-oauth2 reads `code` of the body too, and `error` of
# `request.query` alone; the strategy assigns both together to that. On Express 5 `request.query` has no setter and the
# assignment is ignored: who cancels is sent to Apple again, each time. On Express 4 the error is read, but passport-oauth2
# has a failure only for `access_denied` (RFC 6749 section 4.1.2.1): Apple's own code is an exception, status 500.
#
# Seen with passport-apple 2.0.2, passport-oauth2 1.8.0, and Express 5.3.0 and 4.22.1 on Node.js 20.20.2. Prints what each
# callback leads to, and fails if that changes. Needs Node.js 18 or later with npm, openssl, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" passport-apple@2.0.2 passport-oauth2@1.8.0 passport@0.7.0 \
    express@5.3.0 express4@npm:express@4.22.1
openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out key.p8

cat >callback.cjs <<'JS'
const passport = require('passport')
const AppleStrategy = require('passport-apple')

const strategy = new AppleStrategy({ clientID: 'com.example.app', teamID: 'TEAM', keyID: 'KEY', privateKeyLocation: 'key.p8',
    callbackURL: 'https://app.example/callback' }, (request, access, refresh, idToken, profile, done) => done(null, { access }))
strategy._oauth2._request = (method, url, headers, form, token, done) => { // answers in place of Apple's token endpoint
    done(null, JSON.stringify({ access_token: new URLSearchParams(form).get('code'), id_token: 'none' }))
}
passport.use(strategy)

async function run(name) {
    const express = require(name)
    const app = express()
    app.post('/callback', express.urlencoded({ extended: false }), passport.initialize(), (request, response, next) => {
        passport.authenticate('apple', (error, user) => {
            if (error) return response.status(500).end(`${error.name} ${error.code}`)
            response.end(user ? `signed in with ${user.access}` : 'failed')
        })(request, response, next)
    })
    const server = app.listen(0, '127.0.0.1')
    await new Promise(resolve => server.on('listening', resolve))
    const address = `http://127.0.0.1:${server.address().port}/callback`
    for (const parameters of [{ code: 'a-code' }, { error: 'access_denied' }, { error: 'user_cancelled_authorize' }]) {
        const body = new URLSearchParams({ ...parameters, state: 'state' })
        const response = await fetch(address, { method: 'POST', redirect: 'manual', body })
        const location = response.headers.get('location')
        const to = location ? new URL(location).host : await response.text()
        console.log(`${name}, ${Object.entries(parameters)[0].join(' ')}: ${response.status} ${to}`)
    }
    server.close().closeAllConnections()
}
run('express').then(() => run('express4'))
JS

seen=$(node callback.cjs)
printf '%s\n' "$seen"
[[ "$seen" == "express, code a-code: 200 signed in with a-code
express, error access_denied: 302 appleid.apple.com
express, error user_cancelled_authorize: 302 appleid.apple.com
express4, code a-code: 200 signed in with a-code
express4, error access_denied: 200 failed
express4, error user_cancelled_authorize: 500 AuthorizationError user_cancelled_authorize" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
