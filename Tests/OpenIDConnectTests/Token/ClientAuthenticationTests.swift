// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

@Suite struct ClientAuthenticationTests {
    @Test func `RFC 6749 section 2.3.1 id and secret are form-encoded before base64`() {
        let proof = ClientAuthentication(
            method: .clientSecretBasic, clientID: "client", clientSecret: "p:\u{E4}/ %+")
        // base64 of "client:p%3A%C3%A4%2F%20%25%2B"
        #expect(proof.authorization == "Basic Y2xpZW50OnAlM0ElQzMlQTQlMkYlMjAlMjUlMkI=")
        #expect(proof.parameters.isEmpty)
    }

    @Test func `RFC 6749 section 2.3.1 a colon in the id cannot move the border to the secret`() {
        let proof = ClientAuthentication(method: .clientSecretBasic, clientID: "a:b", clientSecret: "s")
        // base64 of "a%3Ab:s"
        #expect(proof.authorization == "Basic YSUzQWI6cw==")
    }

    @Test func `in the form stand both as they are`() {
        let proof = ClientAuthentication(method: .clientSecretPost, clientID: "client", clientSecret: "p:\u{E4}/ %+")
        #expect(proof.authorization == nil)
        #expect(
            proof.parameters.map { [$0.0, $0.1] } == [["client_id", "client"], ["client_secret", "p:\u{E4}/ %+"]])
    }

    @Test func `a public client sends its id alone, and never a secret`() {
        for secret in [nil, "secret"] {
            let proof = ClientAuthentication(method: .none, clientID: "client", clientSecret: secret)
            #expect(proof.authorization == nil)
            #expect(proof.parameters.map { [$0.0, $0.1] } == [["client_id", "client"]])
        }
    }

    @Test func `a proof prints nothing of what it holds`() {
        for method in [ClientAuthenticationMethod.clientSecretBasic, .clientSecretPost] {
            let proof = ClientAuthentication(method: method, clientID: "client", clientSecret: "s3cret")
            var dumped = ""
            dump(proof, to: &dumped)
            #expect(["\(proof)", String(reflecting: proof), dumped].allSatisfy { !$0.contains("s3cret") })
            #expect(!dumped.contains("Basic"))
        }
    }

    @Test func `methods are known by their registered names`() {
        for method in ClientAuthenticationMethod.strongestFirst {
            #expect(ClientAuthenticationMethod(name: method.name) == method)
        }
        #expect(
            ClientAuthenticationMethod.strongestFirst.map(\.name) == [
                "tls_client_auth", "self_signed_tls_client_auth", "private_key_jwt", "client_secret_basic",
                "client_secret_post", "client_secret_jwt", "none",
            ])
        #expect(
            ClientAuthenticationMethod.strongestFirst.filter(\.isMutualTLS).map(\.name)
                == ["tls_client_auth", "self_signed_tls_client_auth"])
        for name in ["", "private_key", "tls_client", "Client_Secret_Basic", "client_secret_jwt "] {
            #expect(ClientAuthenticationMethod(name: name) == nil)
        }
    }
}
