// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct SecretTests {
    private let secret = Secret("s3cret")

    private func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test(.attack(.secretsInLogs)) func `no way of printing shows it`() {
        let optional: Secret? = secret
        let printed = [
            "\(secret)", secret.description, secret.debugDescription, String(describing: secret),
            String(reflecting: secret),
            String(describing: optional), "\([secret])", "\(["key": secret])", dumped(secret), dumped([secret]),
            String(describing: Mirror(reflecting: secret).children.map { $0.value }),
        ]
        for text in printed { #expect(!text.contains("s3cret")) }
        #expect("\(secret)" == "<redacted>")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test(.attack(.secretsInLogs)) func `neither does a request, nor a code verifier`() throws {
        let request = ProviderRequest(
            url: try #require(AbsoluteURL("https://id.example/token?x=s3cret")), authorization: "Basic s3cret",
            content: .form("code=s3cret"), maximumResponseBytes: 1, deadline: .now(),
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
        let verifier = try #require(CodeVerifier(String(repeating: "s3cret", count: 8)))
        for text in ["\(request)", dumped(request), "\(verifier)", dumped(verifier)] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test(.attack(.secretsInLogs)) func `neither does what holds one`() {
        let pending = PendingSignIn(
            state: "state", nonce: secret, codeVerifier: Secret("s3cret too"), maximumAge: nil)
        let configuration = ProviderConfiguration(
            issuer: "https://issuer.example", clientID: "client", clientSecret: secret,
            redirectURI: "https://app.example/cb")
        for text in [
            "\(pending)", String(reflecting: pending), dumped(pending), "\(configuration)",
            String(reflecting: configuration), dumped(configuration),
        ] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test func `code that may read it gets it`() {
        #expect(secret.exposed == "s3cret")
        #expect(secret.withExposedValue { $0.utf8.count } == 6)
        #expect(secret == Secret("s3cret"))
        #expect(secret != Secret("other"))
    }
}
