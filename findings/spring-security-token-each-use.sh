#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Spring Security 7.0.8 asks for a new token for each use where the response has no `expires_in`, or has it as 3600.0. RFC 6749
# section 5.1 only recommends the member, and makes it a number of JSON (RFC 8259 section 6: 3600.0 is 3600). Spring
# takes one second as the lifetime in both cases, without a message; with the clock skew of 60 seconds such a token has ended
# before it is first used. The provider gets a token request for each request of the application.
#
# Seen with org.springframework.security:spring-security-oauth2-client 7.0.8 (client credentials). Prints the token requests
# of three uses, and fails if that changes. Needs Java 17 and Maven, which fetches the packages.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version><dependencies>
<dependency><groupId>org.springframework.security</groupId><artifactId>spring-security-oauth2-client</artifactId>
<version>7.0.8</version></dependency>
<dependency><groupId>tools.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>3.0.2</version></dependency>
</dependencies></project>
XML
mvn -q -B -Dstyle.color=never dependency:build-classpath -Dmdep.outputFile=classpath >/dev/null

cat >Uses.java <<'JAVA'
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.security.oauth2.client.*;
import org.springframework.security.oauth2.client.registration.*;
import org.springframework.security.oauth2.core.AuthorizationGrantType;

public class Uses {
    public static void main(String[] arguments) throws Exception {
        for (var more : List.of(",\"expires_in\":3600", ",\"expires_in\":3600.0", "")) {
            var count = new AtomicInteger();
            var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            server.createContext("/", exchange -> {
                exchange.getRequestBody().readAllBytes();
                var body = "{\"access_token\":\"access-%d\",\"token_type\":\"Bearer\"%s}".formatted(count.incrementAndGet(), more).getBytes();
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            var clients = new InMemoryClientRegistrationRepository(ClientRegistration.withRegistrationId("op").clientId("app")
                .clientSecret("secret").authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .tokenUri("http://127.0.0.1:" + server.getAddress().getPort() + "/token").build());
            var manager = new AuthorizedClientServiceOAuth2AuthorizedClientManager(clients,
                new InMemoryOAuth2AuthorizedClientService(clients));
            for (var use = 0; use < 3; use++)
                manager.authorize(OAuth2AuthorizeRequest.withClientRegistrationId("op").principal("service").build());
            System.out.printf("%s: %d%n", more.isEmpty() ? "no expires_in" : more.substring(1), count.get());
            server.stop(0);
        }
    }
}
JAVA

seen=$(java -cp "$(cat classpath)" Uses.java 2>errors) || { cat errors >&2; exit 1; }
printf '%s\n' "$seen"
[[ "$seen" == '"expires_in":3600: 1
"expires_in":3600.0: 3
no expires_in: 3' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
