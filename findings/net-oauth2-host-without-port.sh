#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Perl's Net::OAuth2 0.67 names the host of a token request without its port. RFC 9110 section 7.2 says that `Host` is the
# authority of the address, so that a port which is not the default belongs to it. A provider on another port, as in a test
# or behind a proxy, that makes its issuer or a redirect from `Host`, or compares it, sees another origin than its own. The
# same user agent without Net::OAuth2 sends the port. A comment in the source says that one large provider disliked it.
#
# Seen with libnet-oauth2-perl 0.67-1 of Debian 12. Prints both headers, and fails if they change. Needs Debian 12 with its
# packages' mirror, and Python 3.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libnet-oauth2-perl=0.67-1 libwww-perl libhttp-message-perl liburi-perl libjson-maybexs-perl \
    libhttp-date-perl libencode-locale-perl libio-html-perl liblwp-mediatypes-perl libtimedate-perl libtry-tiny-perl \
    libclone-perl libnet-http-perl >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$folder/root/usr/share/perl5:$folder/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >ask.pl <<'PL'
use strict;
use warnings;
use Net::OAuth2::Profile::WebServer;

my ($origin) = @ARGV;
LWP::UserAgent->new->post("$origin/token");
Net::OAuth2::Profile::WebServer->new(client_id => 'app', client_secret => 'secret', site => $origin,
    access_token_path => '/token', redirect_uri => 'https://app.example/callback')->get_access_token('code');
PL

cat >provider.py <<'PY'
import http.server
import subprocess
import threading


class Provider(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        form = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        expected = f"127.0.0.1:{self.server.server_port}"
        name = "Net::OAuth2" if form else "LWP::UserAgent"
        print(f"{name}: {self.headers['Host'].replace(expected, '127.0.0.1:PORT')}", flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"access_token":"access","token_type":"Bearer"}')

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Provider)
threading.Thread(target=server.serve_forever, daemon=True).start()
subprocess.run(["perl", "ask.pl", f"http://127.0.0.1:{server.server_port}"], check=True, timeout=30)
PY

seen=$(python3 provider.py)
printf '%s\n' "$seen"
[[ "$seen" == "LWP::UserAgent: 127.0.0.1:PORT
Net::OAuth2: 127.0.0.1" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
