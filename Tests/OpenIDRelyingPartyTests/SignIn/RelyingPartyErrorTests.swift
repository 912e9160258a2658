// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing

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
    func `what somebody must repair is not`(error: RelyingPartyError) {
        #expect(!error.isTemporary)
    }

    @Test func `an error names its step, and hands on what it holds`() {
        let refusal = ProviderError(code: "invalid_grant", description: "more")
        #expect(RelyingPartyError.provider(.token, refusal).providerError == refusal)
        #expect(
            RelyingPartyError.provider(.token, refusal).description == "token: the provider answered 'invalid_grant'")
        #expect(RelyingPartyError.status(.keySet, 503).description == "key_set: status 503")
        #expect(RelyingPartyError.status(.keySet, 503).providerError == nil)
        let finding = IDTokenFinding(check: "issuer", wanted: "a", found: "b")
        #expect(RelyingPartyError.finding(finding).finding == finding)
        #expect(RelyingPartyError.finding(finding).step == .idToken)
        #expect(RelyingPartyError.issuerMismatch.step == .authorization)
    }
}
