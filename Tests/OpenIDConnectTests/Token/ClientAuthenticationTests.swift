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

    @Test func `RFC 6749 section 2.3.1 a colon in the id can not move the border to the secret`() {
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

    @Test(
        arguments: [
            (["client_secret_basic", "client_secret_post"], "client_secret_basic"),
            (["client_secret_post", "client_secret_basic"], "client_secret_basic"),
            (["client_secret_post"], "client_secret_post"),
            (["private_key_jwt", "client_secret_post"], "client_secret_post"),
            (["private_key_jwt", "tls_client_auth"], nil),
            (["none"], nil),
            ([], nil),
        ] as [([String], String?)])
    func `the first of basic and post that is announced is taken`(announced: [String], expected: String?) {
        let method = ClientAuthentication.method(configured: nil, announced: announced, hasSecret: true)
        #expect(method?.name == expected)
    }

    @Test func `what is configured wins, and without a secret there is no proof`() {
        #expect(
            ClientAuthentication.method(
                configured: .clientSecretPost, announced: ["client_secret_basic"], hasSecret: true) == .clientSecretPost
        )
        let none = ClientAuthentication.method(configured: nil, announced: ["client_secret_basic"], hasSecret: false)
        #expect(none == ClientAuthenticationMethod.none)
    }

    @Test func `methods are known by their registered names`() {
        for name in ["client_secret_basic", "client_secret_post", "none"] {
            #expect(ClientAuthenticationMethod(name: name)?.name == name)
        }
        for name in ["", "private_key_jwt", "client_secret_jwt", "Client_Secret_Basic"] {
            #expect(ClientAuthenticationMethod(name: name) == nil)
        }
    }
}
