// SPDX-License-Identifier: Apache-2.0

#if Server
    import FuzzingSupport
    import JOSE
    import NIOCore
    import OpenIDConnect
    import OpenIDRelyingParty
    import Testing
    import TestingSupport

    @testable import oidc_broker

    /// Tokens that a stranger made up.
    struct ExplanationFuzzTests {
        private static let now: Int64 = 1_800_000_000
        private static let issuer = "https://issuer.example"

        /// A transport that must not be used.
        private struct NoTransport: ProviderTransport {
            func execute(
                _ request: ProviderRequest, on eventLoop: any EventLoop
            ) -> EventLoopFuture<ProviderResponse> {
                eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
            }
        }

        @Test(.onSockets, .timeLimit(.minutes(10)), arguments: [1, 2, 3, 4] as [UInt64])
        func `no token traps, hangs or is printed as it is, and none holds that is not signed`(seed: UInt64) throws {
            let key = try SigningKey.generate(.es256)
            let keys = try KeySet(json: (["keys": .array([.object(key.publicJWK)])] as JSONObject).serialized())
            let party = RelyingParty(
                configuration: ProviderConfiguration(
                    issuer: Self.issuer, clientID: "client", clientSecret: nil,
                    redirectURI: "https://app.example/callback"),
                transport: NoTransport())
            let metadata = try party.assumedMetadata()
            let claims: JSONObject = [
                "iss": .string(Self.issuer), "sub": "ada", "aud": ["client"], "nonce": "n",
                "iat": .number(JSONNumber(Self.now)), "exp": .number(JSONNumber(Self.now + 300)),
            ]
            let good = try key.sign(claims, type: "JWT")
            let payloads = try [#"{"alg":"none"}"#, #"{"alg":"HS256","typ":7}"#, #"{"exp":1e308,"nbf":-0}"#].map {
                try key.sign(header: ["alg": "ES256"], payload: Array($0.utf8))
            }
            var mutator = Mutator(
                corpus: [good] + payloads + ["a.b.c.d.e", "eyJhbGciOiJub25lIn0.e30."],
                dictionary: ["e30", "eyJhbGciOiJub25lIn0", "W10", "eyJpc3MiOjF9", "....", "\u{1B}[2J"], separators: ".",
                longest: 70_000, seed: seed)
            for _ in 0..<1000 {
                let token = String(decoding: mutator.next(), as: UTF8.self)
                let explanation = party.explain(
                    idToken: token, keys: keys, metadata: metadata, nonce: "n", now: Self.now)
                let text = ExplanationText.text(explanation, preamble: [])
                #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
                #expect(explanation.checks.count == IDTokenPolicy.standard.checks.count + 2)
                guard explanation.holds else { continue }
                let signature = try JSONWebSignature(compact: token)
                let payload = try signature.verified(by: keys, algorithms: [.es256])
                #expect(payload.claims == claims)
            }
            #expect(party.explain(idToken: good, keys: keys, metadata: metadata, nonce: "n", now: Self.now).holds)
        }
    }
#endif
