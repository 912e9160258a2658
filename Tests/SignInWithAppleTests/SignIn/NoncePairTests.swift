// SPDX-License-Identifier: Apache-2.0

import SignInWithApple
import Testing
import TestingSupport

@Suite struct NoncePairTests {
    @Test(.attack(.replayedNonce)) func `the hash is the SHA-256 of the raw nonce in lower-case hexadecimal`() {
        // As sha256sum writes them.
        #expect(
            NoncePair(raw: "raw-nonce").hashed == "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990")
        #expect(NoncePair(raw: "").hashed == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `pairs are made of 256 random bits, and printed as nothing`() {
        let pairs = (0..<100).map { _ in NoncePair.make() }
        #expect(Set(pairs).count == 100)
        for pair in pairs {
            #expect(pair.raw.utf8.count == 43)
            #expect(pair.hashed.utf8.count == 64)
            #expect(pair == NoncePair(raw: pair.raw))
            var text = "\(pair) \(pair.debugDescription)"
            dump(pair, to: &text)
            #expect(!text.contains(pair.raw))
        }
    }
}
