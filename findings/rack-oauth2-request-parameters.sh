#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gem rack-oauth2 1.21.3, which openid_connect makes its authorization requests with, writes lists and objects as Rails
# does. It joins `scope`, `response_type` and `prompt` with spaces, as OpenID Connect Core 1.0 section 3.1.2.1 says; a list
# as `ui_locales` or `acr_values`, for which the same section wants spaces, becomes `ui_locales[]=`, and an object as
# `claims`, for which section 5.5 wants JSON, becomes `claims[id_token]...`. A provider ignores parameters that it does not
# know, so that nothing says that the request for claims or an assurance level was lost. 2.3.0 does the same.
#
# Seen with ruby-rack-oauth2 1.21.3-1 and ruby-openid-connect 1.2.0-2 of Debian 12. Prints the parameters, and fails if they
# change. Needs both, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dpkg-query -W ruby-rack-oauth2 ruby-openid-connect

cat >"$folder/request.rb" <<'RB'
require 'openid_connect'

client = OpenIDConnect::Client.new(identifier: 'app', redirect_uri: 'https://app.example/callback', host: 'op.example',
                                   authorization_endpoint: 'https://op.example/authorize')
address = client.authorization_uri(scope: %i[email profile], response_type: %i[code id_token], prompt: %w[login consent],
                                   ui_locales: %w[de en], acr_values: %w[gold silver],
                                   claims: { id_token: { auth_time: { essential: true } } })
URI.decode_www_form(URI(address).query).each do |name, value|
  puts "#{name}=#{value}" unless %w[client_id redirect_uri].include?(name)
end
RB

seen=$(ruby "$folder/request.rb")
printf '%s\n' "$seen"
[[ "$seen" == "acr_values[]=gold
acr_values[]=silver
claims[id_token][auth_time][essential]=true
prompt=login consent
response_type=code id_token
scope=email profile openid
ui_locales[]=de
ui_locales[]=en" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
