#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Google's libraries for Java verify no ID token if one key of the JWK Set has no `alg` or no `kid`, or has an algorithm other
# than RS256 and ES256. RFC 7517 sections 4.4 and 4.5 make both members optional, and section 5 says that implementations SHOULD
# ignore keys that they do not understand. The provider adds a key for EdDSA or PS256, and the tokens of its old RS256 key fail
# too, with a NullPointerException: the map of keys takes no null.
#
# Seen with com.google.oauth-client:google-oauth-client 1.39.0 (`IdTokenVerifier`) and
# com.google.auth:google-auth-library-oauth2-http 1.57.0 (`TokenVerifier`). Prints what is accepted, and fails if that changes.
# Needs Java 17 and Maven, which fetches the packages.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version><dependencies>
<dependency><groupId>com.google.oauth-client</groupId><artifactId>google-oauth-client</artifactId><version>1.39.0</version></dependency>
<dependency><groupId>com.google.auth</groupId><artifactId>google-auth-library-oauth2-http</artifactId><version>1.57.0</version></dependency>
</dependencies></project>
XML
mvn -q -B -Dstyle.color=never dependency:build-classpath -Dmdep.outputFile=classpath >/dev/null

cat >Keys.java <<'JAVA'
import com.google.api.client.auth.openidconnect.*;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.client.testing.http.*;
import com.google.auth.oauth2.TokenVerifier;
import java.security.*;
import java.security.interfaces.RSAPublicKey;
import java.util.*;

public class Keys {
    static String encode(byte[] octets) { return Base64.getUrlEncoder().withoutPadding().encodeToString(octets); }
    static String reason(Throwable e) { return e.getCause() == null ? e.getClass().getSimpleName() : reason(e.getCause()); }

    public static void main(String[] arguments) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        var pair = generator.generateKeyPair();
        var modulus = ((RSAPublicKey) pair.getPublic()).getModulus().toByteArray();
        var rsa = "{\"kty\":\"RSA\",\"use\":\"sig\",\"e\":\"AQAB\",\"n\":\"" + encode(Arrays.copyOfRange(modulus, 1, 257)) + "\"";
        var okp = "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"";
        var full = rsa + ",\"kid\":\"1\",\"alg\":\"RS256\"}";
        var claims = "{\"iss\":\"https://op.example\",\"sub\":\"s\",\"aud\":\"app\",\"iat\":1700000000,\"exp\":4102444800}";
        var signed = encode("{\"alg\":\"RS256\",\"kid\":\"1\"}".getBytes()) + "." + encode(claims.getBytes());
        var signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(pair.getPrivate());
        signature.update(signed.getBytes());
        var token = signed + "." + encode(signature.sign());
        for (var keys : List.of(full, rsa + ",\"kid\":\"1\"}", full + "," + rsa + ",\"kid\":\"2\",\"alg\":\"PS256\"}",
                full + "," + okp + ",\"kid\":\"2\",\"alg\":\"EdDSA\"}", full + "," + rsa + ",\"alg\":\"RS256\"}")) {
            java.util.function.Supplier<MockHttpTransport> transport = () -> new MockHttpTransport.Builder().setLowLevelHttpResponse(
                new MockLowLevelHttpResponse().setContent("{\"keys\":[" + keys + "]}")).build();
            var seen = new String[2];
            try {
                seen[0] = "" + new IdTokenVerifier.Builder().setCertificatesLocation("https://op.example/keys").setAudience(List.of("app"))
                    .setIssuer("https://op.example").setHttpTransportFactory(transport::get).build()
                    .verifyOrThrow(IdToken.parse(GsonFactory.getDefaultInstance(), token));
            } catch (Exception error) { seen[0] = reason(error); }
            try {
                seen[1] = "" + (TokenVerifier.newBuilder().setCertificatesLocation("https://op.example/keys").setAudience("app")
                    .setIssuer("https://op.example").setHttpTransportFactory(transport::get).build().verify(token) != null);
            } catch (Exception error) { seen[1] = reason(error); }
            System.out.println(keys.replaceAll("\"(use|e|n|crv|x)\":\"[^\"]*\",?", "") + ": " + seen[0] + ", " + seen[1]);
        }
    }
}
JAVA

seen=$(java -cp "$(cat classpath)" Keys.java)
printf '%s\n' "$seen"
[[ "$seen" == '{"kty":"RSA","kid":"1","alg":"RS256"}: true, true
{"kty":"RSA","kid":"1"}: NullPointerException, NullPointerException
{"kty":"RSA","kid":"1","alg":"RS256"},{"kty":"RSA","kid":"2","alg":"PS256"}: NullPointerException, NullPointerException
{"kty":"RSA","kid":"1","alg":"RS256"},{"kty":"OKP","kid":"2","alg":"EdDSA"}: NullPointerException, NullPointerException
{"kty":"RSA","kid":"1","alg":"RS256"},{"kty":"RSA","alg":"RS256"}: NullPointerException, NullPointerException' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
