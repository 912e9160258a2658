#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gem openid_connect 1.2.0 with a cache knows one provider a host. OpenID Connect Discovery 1.0 section 4.1 lets many
# issuers share a host by their paths (`/realms/one`, `/tenant/v2.0`). The key in `SWD.cache` is a hash of the host alone,
# without path and port: after the discovery of one issuer that of another on its host reads the first one's document and
# ends in `Issuer mismatch`, without a request. Which of the two works depends on who came first. Without a cache, the
# default and what tests use, both work. 2.5.0 does the same.
#
# Seen with ruby-openid-connect 1.2.0-2 and ruby-swd 1.0.1-2.1 of Debian 12, and with 2.5.0-1 and 2.0.3-1 of Debian
# unstable. Prints what each discovery leads to, and fails if that changes. Needs the first two, installed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dpkg-query -W ruby-openid-connect ruby-swd

cat >"$folder/discover.rb" <<'RB'
require 'openid_connect'
require 'socket'

suffix = '/.well-known/openid-configuration'
asked = []
server = TCPServer.new('127.0.0.1', 0)
origin = "http://127.0.0.1:#{server.addr[1]}"
Thread.new do
  loop do
    socket = server.accept
    path = socket.gets.split[1]
    nil until socket.gets == "\r\n"
    asked << path
    issuer = origin + path.delete_suffix(suffix)
    body = { issuer: issuer, authorization_endpoint: "#{issuer}/authorize", jwks_uri: "#{issuer}/jwks",
             response_types_supported: ['code'], subject_types_supported: ['public'],
             id_token_signing_alg_values_supported: ['RS256'] }.to_json
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: #{body.bytesize}\r\n" \
                 "Connection: close\r\n\r\n#{body}")
    socket.close
  end
end

# As ActiveSupport::Cache::Store reads and writes.
class Cache
  def initialize = @values = {}
  def fetch(key, _options = nil) = @values[key] ||= yield
end

discover = lambda do |tenant|
  OpenIDConnect::Discovery::Provider::Config.discover!("#{origin}/#{tenant}").issuer.delete_prefix(origin)
rescue OpenIDConnect::Discovery::DiscoveryFailed => e
  e.message
end
SWD.url_builder = URI::HTTP
puts "without a cache: #{%w[one two].map(&discover).join(', ')}; requests: #{asked.size}"
[%w[one two], %w[two one]].each do |tenants|
  asked.clear
  SWD.cache = Cache.new
  puts "with a cache: #{tenants.map(&discover).join(', ')}; requests: #{asked.size}"
end
RB

seen=$(ruby "$folder/discover.rb")
printf '%s\n' "$seen"
[[ "$seen" == "without a cache: /one, /two; requests: 2
with a cache: /one, Issuer mismatch; requests: 1
with a cache: /two, Issuer mismatch; requests: 1" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
