#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gem json-jwt 1.14.0, and openid_connect on it, do not verify an ID token without `kid`. OpenID Connect Core 1.0
# section 10.1 demands a `kid` only where the JWK Set has more than one key, and RFC 7515 section 4.1.4 makes it optional.
# A set is asked for the token's `kid` before anything else, so the only key is never tried: KidNotFound. The key itself,
# taken out of the set, verifies the token. json-jwt 1.17.2 does the same; jwt 2.5.0 and 3.3.0 refuse such a token too.
#
# Seen with ruby-openid-connect 1.2.0-2 and ruby-json-jwt 1.14.0-2 of Debian 12. Prints what verifies, and fails if that
# changes. Needs both, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dpkg-query -W ruby-openid-connect ruby-json-jwt

cat >"$folder/kid.rb" <<'RB'
require 'openid_connect'

private_key = OpenSSL::PKey::RSA.new(2048)
public_key = JSON::JWK.new(private_key.public_key)
claims = { iss: 'https://op.example', sub: 'user', aud: 'app', exp: Time.now.to_i + 60, iat: Time.now.to_i }
plain = JSON::JWT.new(claims).sign(private_key).to_s
named = JSON::JWT.new(claims).tap { |token| token.kid = 'first' }.sign(private_key).to_s

set = ->(keys) { JSON::JWK::Set.new(JSON.parse({ keys: keys }.to_json)) }
nameless = set.call([public_key.slice(:kty, :n, :e)])
try = lambda do |token, keys|
  OpenIDConnect::ResponseObject::IdToken.decode(token, keys).sub
rescue JSON::JWT::Exception => e
  e.class.name
end
puts "no kid, a set of one key without kid: #{try.call(plain, nameless)}"
puts "no kid, a set of one key with kid: #{try.call(plain, set.call([public_key.merge(kid: 'first')]))}"
puts "no kid, the key of that set: #{try.call(plain, nameless.first)}"
puts "kid, a set of one key with kid: #{try.call(named, set.call([public_key.merge(kid: 'first')]))}"
RB

seen=$(ruby "$folder/kid.rb")
printf '%s\n' "$seen"
[[ "$seen" == "no kid, a set of one key without kid: JSON::JWK::Set::KidNotFound
no kid, a set of one key with kid: JSON::JWK::Set::KidNotFound
no kid, the key of that set: user
kid, a set of one key with kid: user" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
