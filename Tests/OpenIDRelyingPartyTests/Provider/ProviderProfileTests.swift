// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct ProviderProfileTests {
    @Test(.attack(.replayedNonce)) func `the nonce goes out as it is, or as its SHA-256 in hexadecimal`() {
        #expect(ProviderProfile.openIDConnect.nonce(fromRaw: "raw-nonce") == "raw-nonce")
        // As sha256sum writes it.
        #expect(
            ProviderProfile(nonceForm: .sha256Hexadecimal).nonce(fromRaw: "raw-nonce")
                == "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990")
    }

    @Test func `the clock skew stays under five minutes`() throws {
        let provider = try TestProvider()
        func skew(_ seconds: Int64) -> Int64 {
            UnpluggedSession(provider) { $0.clockSkew = .seconds(seconds) }.party.clockSkew
        }
        #expect(skew(60) == 60)
        #expect(skew(299) == 299)
        #expect(skew(300) == 299)
        #expect(skew(.max) == 299)
        #expect(skew(-1) == 0)
        #expect(skew(.min) == 0)
    }
}
