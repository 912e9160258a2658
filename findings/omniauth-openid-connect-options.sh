#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gem gitlab-omniauth-openid-connect 0.10.0 declares options that it never sends. `max_age`, `display`, `id_token_hint` and
# `ui_locales` are parameters of OpenID Connect Core 1.0 section 3.1.2.1; `prompt` and `acr_values`, declared beside them, are
# sent. An app that sets `max_age: 0` to have the user sign in again gets the old session. Its sign-out sends the address to
# return to alone: RP-Initiated Logout 1.0 section 2 recommends `id_token_hint`, and has `client_id` without it, as the
# provider checks the address for a client. A query of the end session endpoint, as Azure AD B2C's policy is, is lost.
#
# Seen with ruby-omniauth-openid-connect 0.10.0-2, ruby-omniauth 2.1.1-1 and ruby-openid-connect 1.2.0-2 of Debian 12. Prints
# the parameters, and fails if they change. Needs the last, installed, and Debian 12's packages' mirror.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-omniauth-openid-connect=0.10.0-2 ruby-omniauth=2.1.1-1 ruby-hashie ruby-rack-protection \
    >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export RUBYLIB=root/usr/lib/ruby/vendor_ruby
for library in root/usr/share/rubygems-integration/all/gems/*/lib; do RUBYLIB+=:$library; done

cat >options.rb <<'RB'
require 'omniauth_openid_connect'
require 'rack'

OmniAuth.config.logger = Logger.new(IO::NULL)
OmniAuth.config.allowed_request_methods = [:get]
options = { prompt: 'login', acr_values: 'urn:two-factors', max_age: 0, display: 'touch', id_token_hint: 'a.b.c',
            ui_locales: 'de' }
strategy = OmniAuth::Strategies::OpenIDConnect.new(
  ->(_) { [404, {}, []] }, issuer: 'https://op.example', post_logout_redirect_uri: 'https://app.example/', **options,
  client_options: { identifier: 'app', secret: 'secret', redirect_uri: 'https://app.example/callback', host: 'op.example',
                    end_session_endpoint: 'https://op.example/logout?p=B2C_1_sign_in' })
location = lambda do |path|
  _, headers, = strategy.call(Rack::MockRequest.env_for(path, 'rack.session' => {}))
  URI.decode_www_form(URI(headers['Location']).query).to_h
end
sent = location.call('/auth/openid_connect')
options.each_key { |name| puts "#{name}: #{sent[name.to_s] || 'not sent'}" }
puts "sign-out: #{location.call('/auth/openid_connect/logout').keys.join(', ')}"
RB

seen=$(ruby -W0 options.rb)
printf '%s\n' "$seen"
[[ "$seen" == "prompt: login
acr_values: urn:two-factors
max_age: not sent
display: not sent
id_token_hint: not sent
ui_locales: not sent
sign-out: post_logout_redirect_uri" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
