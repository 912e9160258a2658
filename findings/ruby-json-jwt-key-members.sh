#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gem json-jwt 1.14.0 does not read two things that a JWK may say. RFC 7518 section 6.3.2 demands of a private RSA key `d`
# alone, and the primes only where one of them is there: such a key becomes a public one without a word, and signing ends
# in `private key is needed`; PyJWT 2.6.0 finds the primes from `d`. RFC 7517 section 4.4 has `alg` for the algorithm that a
# key is meant for: a key for PS256 or RS512 signs with RS256, unless the algorithm is given once more. 1.17.2 does the same.
#
# Seen with ruby-json-jwt 1.14.0-2 and python3-jwt 2.6.0-1+deb12u1 of Debian 12. Prints what signs and how, and fails if that
# changes. Needs both, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
dpkg-query -W ruby-json-jwt python3-jwt

cat >sign.rb <<'RB'
require 'json/jwt'

key = JSON::JWK.new(OpenSSL::PKey::RSA.new(2048))
sign = lambda do |jwk, *algorithm|
  JSON::JWT.new(sub: 'user').sign(jwk, *algorithm).alg
rescue StandardError => e
  e.message
end
short = JSON::JWK.new(key.slice(:kty, :n, :e, :d))
File.write('short.jwk', short.to_json)
puts "all members: private #{key.to_key.private?}, signs: #{sign.call(key)}"
puts "n, e and d: private #{short.to_key.private?}, signs: #{sign.call(short)}"
%w[PS256 RS512].each do |algorithm|
  named = JSON::JWK.new(key.merge(alg: algorithm))
  puts "alg #{algorithm}, signs: #{sign.call(named)}; given once more: #{sign.call(named, algorithm.to_sym)}"
end
RB

cat >sign.py <<'PY'
import jwt
from jwt.algorithms import RSAAlgorithm

key = RSAAlgorithm.from_jwk(open("short.jwk").read())
print("PyJWT, n, e and d, signs:", jwt.get_unverified_header(jwt.encode({"sub": "user"}, key, "RS256"))["alg"])
PY

seen=$(ruby sign.rb && /usr/bin/python3 sign.py)
printf '%s\n' "$seen"
[[ "$seen" == "all members: private true, signs: RS256
n, e and d: private false, signs: private key is needed
alg PS256, signs: RS256; given once more: PS256
alg RS512, signs: RS256; given once more: RS512
PyJWT, n, e and d, signs: RS256" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
