#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Spring Security 7.0.8 reads the error of a token request only from a response with the status 400. RFC 6749 section 5.2:
# `invalid_client` is 401, and MUST be if the client authenticated with the `Authorization` header, which is Spring's
# default. The application sees `invalid_token_response` for it, the code for a response that cannot be read, and the same
# for a 429 or 503 with an OAuth error. Code that looks for `invalid_client`, to tell a secret that was replaced from a broken
# provider, never finds it; a provider that answers 400 against the RFC is the one that is understood.
#
# Seen with org.springframework.security:spring-security-oauth2-client 7.0.8 (`RestClientClientCredentialsTokenResponseClient`).
# Prints the error codes, and fails if that changes. Needs Java 17 and Maven, which fetches the packages.
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

cat >Errors.java <<'JAVA'
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.List;
import org.springframework.security.oauth2.client.endpoint.*;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.*;

public class Errors {
    public static void main(String[] arguments) throws Exception {
        // Answers instead of a provider: the path says status and error.
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            var path = exchange.getRequestURI().getPath().split("/");
            var body = "{\"error\":\"%s\"}".formatted(path[2]).getBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (path[1].equals("401")) exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"op\"");
            exchange.sendResponseHeaders(Integer.parseInt(path[1]), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        for (var path : List.of("400/invalid_grant", "400/invalid_client", "401/invalid_client", "503/temporarily_unavailable")) {
            var registration = ClientRegistration.withRegistrationId("op").clientId("app").clientSecret("secret")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .tokenUri("http://127.0.0.1:" + server.getAddress().getPort() + "/" + path).build();
            try {
                new RestClientClientCredentialsTokenResponseClient()
                    .getTokenResponse(new OAuth2ClientCredentialsGrantRequest(registration));
            } catch (OAuth2AuthorizationException error) {
                System.out.println(path + ": " + error.getError().getErrorCode());
            }
        }
        server.stop(0);
    }
}
JAVA

seen=$(java -cp "$(cat classpath)" Errors.java 2>/dev/null)
printf '%s\n' "$seen"
[[ "$seen" == "400/invalid_grant: invalid_grant
400/invalid_client: invalid_client
401/invalid_client: invalid_token_response
503/temporarily_unavailable: invalid_token_response" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
