#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# express-jwt 8.5.1, koa-jwt 4.0.4, @fastify/jwt 10.2.8 and passport-jwt 4.0.1 refuse a request without a challenge. RFC 9110
# section 15.5.2: a server that answers 401 MUST send `WWW-Authenticate`, and RFC 6750 section 3 has `invalid_token` there for
# a token that has ended. A client that refreshes on `invalid_token`, or finds the authorization server by
# `resource_metadata` (RFC 9728 section 5.1), as MCP clients do, has nothing to go by. `credentials` of RFC 9110 section 11.4
# also lets several spaces follow the scheme: passport-jwt reads them, the others refuse, @fastify/jwt with 400. hono 4.13.19
# does both as it should.
#
# Seen with these versions, Express 5.3.0, Koa 3.3.0 and Fastify 5.12.8 on Node.js 20.20.2. Prints the answers, and fails if
# they change. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" express-jwt@8.5.1 express@5.3.0 koa-jwt@4.0.4 koa@3.3.0 \
    @fastify/jwt@10.2.8 fastify@5.12.8 passport-jwt@4.0.1 passport@0.7.0 hono@4.13.19 jose@6.2.18

cat >challenge.mjs <<'JS'
import http from 'node:http'
import fastifyJwt from '@fastify/jwt'
import express from 'express'
import { expressjwt } from 'express-jwt'
import fastify from 'fastify'
import { Hono } from 'hono'
import { jwt } from 'hono/jwt'
import { SignJWT } from 'jose'
import Koa from 'koa'
import koaJwt from 'koa-jwt'
import passport from 'passport'
import { ExtractJwt, Strategy } from 'passport-jwt'

const secret = 's'.repeat(32)
const withExpress = handler => express().set('env', 'test').use(handler).get('/', (request, response) => response.end())
passport.use(new Strategy({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKey: secret },
    (claims, done) => done(null, claims)))
const koa = new Koa().use(koaJwt({ secret })).use(context => { context.body = '' })
const plugin = fastify()
plugin.register(fastifyJwt, { secret })
plugin.get('/', { onRequest: request => request.jwtVerify() }, () => '')
await plugin.ready()
const hono = new Hono().use(jwt({ secret, alg: 'HS256' })).get('/', context => context.text(''))
const apps = {
    'express-jwt': withExpress(expressjwt({ secret, algorithms: ['HS256'] })),
    'koa-jwt': koa.callback(),
    '@fastify/jwt': plugin.routing,
    'passport-jwt': withExpress(passport.authenticate('jwt', { session: false })),
}

const now = Math.floor(Date.now() / 1000)
const key = new TextEncoder().encode(secret)
const token = end => new SignJWT().setProtectedHeader({ alg: 'HS256' }).setExpirationTime(end).sign(key)
const [valid, ended] = [await token(now + 300), await token(now - 300)]
async function print(name, get) {
    const answers = []
    for (const authorization of ['', `Bearer ${ended}`, `Bearer ${valid}`, `Bearer  ${valid}`]) {
        const { status, headers } = await get(authorization ? { headers: { authorization } } : {})
        answers.push(status + (headers.has('WWW-Authenticate') ? ' with challenge' : ''))
    }
    console.log(`${name}: none ${answers[0]}, ended ${answers[1]}, valid ${answers[2]}, two spaces ${answers[3]}`)
}
for (const [name, app] of Object.entries(apps)) {
    const server = http.createServer(app)
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
    await print(name, options => fetch(`http://127.0.0.1:${server.address().port}/`, options))
    server.close().closeAllConnections()
}
await print('hono', options => hono.request('https://api.example/', options))
JS
seen=$(node challenge.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "express-jwt: none 401, ended 401, valid 200, two spaces 401
koa-jwt: none 401, ended 401, valid 200, two spaces 401
@fastify/jwt: none 401, ended 401, valid 200, two spaces 400
passport-jwt: none 401, ended 401, valid 200, two spaces 200
hono: none 401 with challenge, ended 401 with challenge, valid 200, two spaces 200" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
