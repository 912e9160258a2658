#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gem openid_connect 1.2.0 makes text of `amr`. OpenID Connect Core 1.0 section 2 says that `amr` is a JSON array of
# strings. The class for an ID token calls `to_s` on each claim but a few, and `amr` is not among the few: a relying party
# gets the text `["pwd", "otp"]` with Ruby's quotes and spaces, on which the methods of an array fail or count characters,
# and a provider built with the gem signs that text instead of the array. 2.5.0 does the same.
#
# Seen with ruby-openid-connect 1.2.0-2 and ruby-json-jwt 1.14.0-2 of Debian 12, and with 2.5.0-1 and 1.17.2-1 of Debian
# unstable. Prints what is read and what is signed, and fails if that changes. Needs the first two, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dpkg-query -W ruby-openid-connect ruby-json-jwt

cat >"$folder/amr.rb" <<'RB'
require 'openid_connect'

key = OpenSSL::PKey::RSA.new(2048)
claims = { iss: 'https://op.example', sub: 'user', aud: ['app'], exp: Time.now.to_i + 60, iat: Time.now.to_i,
           amr: %w[pwd otp] }
id_token = OpenIDConnect::ResponseObject::IdToken

read = id_token.decode(JSON::JWT.new(claims).sign(key).to_s, key.public_key)
puts "read from an array: #{read.amr.class}, #{read.amr}"
puts "methods read, of two: #{read.amr.size}"
signed = JSON::JWT.decode(id_token.new(claims).to_jwt(key), key.public_key)
puts "signed, given an array: #{JSON.generate(amr: signed[:amr])}"
puts "signed, aud: #{JSON.generate(aud: signed[:aud])}"
RB

seen=$(ruby "$folder/amr.rb")
printf '%s\n' "$seen"
[[ "$seen" == 'read from an array: String, ["pwd", "otp"]
methods read, of two: 14
signed, given an array: {"amr":"[\"pwd\", \"otp\"]"}
signed, aud: {"aud":["app"]}' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
