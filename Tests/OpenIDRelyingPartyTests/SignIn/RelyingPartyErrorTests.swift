// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct RelyingPartyErrorTests {
    @Test(arguments: [
        RelyingPartyError.transport(.token, .unreachable), .transport(.token, .timedOut),
        .transport(.token, .interrupted),
        .status(.token, 429), .status(.token, 500), .status(.token, 503), .status(.discovery, 599),
        .provider(.authorization, ProviderError(code: "temporarily_unavailable", description: nil)),
    ])
    func `what may pass by itself is temporary`(error: RelyingPartyError) {
        #expect(error.isTemporary)
    }

    @Test(arguments: [
        RelyingPartyError.transport(.token, .untrusted), .transport(.token, .tooLarge), .transport(.token, .encoded),
        .transport(.token, .addressRefused), .transport(.token, .unusableTrust), .status(.token, 307),
        .status(.token, 400), .status(.discovery, 404), .issuerMissing, .issuerMismatch, .unusable(.discovery, "x"),
        .token("x"), .provider(.token, ProviderError(code: "invalid_grant", description: nil)),
        .finding(IDTokenFinding(check: "issuer", wanted: "a", found: "b")),
    ])
    func `an error that an operator must repair is not`(error: RelyingPartyError) {
        #expect(!error.isTemporary)
    }

    @Test(arguments: [
        (RelyingPartyError.transport(.token, .unreachable), RelyingPartyError.Code.unreachable, "unreachable"),
        (.provider(.token, ProviderError(code: "invalid_grant", description: nil)), .providerError, "provider_error"),
        (.status(.token, 500), .unexpectedStatus, "unexpected_status"),
        (.unusable(.discovery, "x"), .unusableResponse, "unusable_response"),
        (.issuerMissing, .issuerMissing, "issuer_missing"),
        (.issuerMismatch, .issuerMismatch, "issuer_mismatch"),
        (.token("x"), .invalidIDToken, "invalid_id_token"),
        (
            .finding(IDTokenFinding(check: "issuer", wanted: "a", found: "b")), .invalidIDToken, "invalid_id_token"
        ),
    ])
    func `each error has a stable code`(error: RelyingPartyError, code: RelyingPartyError.Code, name: String) {
        #expect(error.code == code)
        #expect(code.description == name)
    }

    @Test func `an error gives what its code promises`() {
        #expect(RelyingPartyError.transport(.token, .timedOut).transportError == .timedOut)
        #expect(RelyingPartyError.status(.token, 500).status == 500)
        #expect(RelyingPartyError.issuerMissing.transportError == nil)
        #expect(RelyingPartyError.issuerMissing.status == nil)
    }

    @Test func `an error names where its request went, without the query, and equals the same of elsewhere`() throws {
        let url = try #require(AbsoluteURL("https://issuer.example:8443/keys/a'b?secret=s3cret"))
        let error = RelyingPartyError.transport(.keySet, .unreachable, at: url)
        #expect(error.description == "key_set: no connection ('https://issuer.example:8443/keys/a?b')")
        #expect(RelyingPartyError.status(.keySet, 503).at(url).description.hasSuffix("('\(url.origin)/keys/a?b')"))
        #expect(error == .transport(.keySet, .unreachable))
        #expect(error.hashValue == RelyingPartyError.transport(.keySet, .unreachable).hashValue)
        #expect(error != .transport(.keySet, .timedOut, at: url))
        #expect(error != .transport(.discovery, .unreachable, at: url))
        let other = try #require(AbsoluteURL("https://other.example/"))
        #expect(error.at(other).description == error.description)
        let long = try #require(AbsoluteURL("https://issuer.example/" + String(repeating: "x", count: 2000)))
        #expect(RelyingPartyError.transport(.keySet, .timedOut, at: long).description.utf8.count < 320)
    }

    @Test(
        arguments: [
            (.unreachable, "no connection"), (.timedOut, "no response in time"), (.untrusted, "TLS failed"),
        ] as [(ProviderTransportError, String)])
    func `a request that came to nothing says where and why`(error: ProviderTransportError, reason: String) throws {
        for (path, step) in [
            ("/.well-known/openid-configuration", "discovery"), ("/jwks", "key_set"), ("/token", "token"),
        ] {
            let provider = try TestProvider()
            provider.behave { $0.responses[path] = .failure(error) }
            let text = try #require(try UnpluggedSession(provider).refusal()).description
            #expect(text.hasPrefix("\(step): \(reason)"))
            #expect(text.hasSuffix("('https://issuer.example\(path)')"))
        }
    }

    @Test func `an error names its step, and hands on what it holds`() {
        let refusal = ProviderError(code: "invalid_grant", description: "more")
        #expect(RelyingPartyError.provider(.token, refusal).providerError == refusal)
        #expect(
            RelyingPartyError.provider(.token, refusal).description
                == "token: the provider responded with 'invalid_grant'")
        #expect(RelyingPartyError.status(.keySet, 503).description == "key_set: the provider responded with status 503")
        #expect(RelyingPartyError.status(.keySet, 503).providerError == nil)
        let finding = IDTokenFinding(check: "issuer", wanted: "a", found: "b")
        #expect(RelyingPartyError.finding(finding).finding == finding)
        #expect(RelyingPartyError.finding(finding).step == .idToken)
        #expect(RelyingPartyError.issuerMismatch.step == .authorization)
    }
}
