// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse
@testable import OIDCBrokerPages

/// The format of values in a store, which replicas of two versions share: golden bytes.
struct SealedValueTests {
    private let key = SingleUseKey(.handOff, [1])
    private let secret = SealingSecret(bytes: Array(repeating: 3, count: 32))
    private let nonce = [UInt8](repeating: 4, count: 12)

    @Test func `a value of this format is the same in every version`() throws {
        let sealed = try #require(SealedValue.seal([1, 2, 3], with: secret, at: key, nonce: nonce))
        #expect(sealed.count == 1 + 12 + 3 + 16)
        #expect(
            sealed.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                == "01040404040404040404040404412510ad2b9f792d22ebdd8776a090626b18a5")
        #expect(SealedValue.open(sealed, with: secret, at: key) == [1, 2, 3])
    }

    @Test func `it opens at its place, with its secret, in a format that is known, and whole`() throws {
        let sealed = try #require(SealedValue.seal([1, 2, 3], with: secret, at: key))
        #expect(SealedValue.open(sealed, with: secret, at: SingleUseKey(.handOff, [2])) == nil)
        #expect(SealedValue.open(sealed, with: SealingSecret(bytes: Array(repeating: 5, count: 32)), at: key) == nil)
        for position in sealed.indices {
            var other = sealed
            other[position] ^= 1
            #expect(SealedValue.open(other, with: secret, at: key) == nil, "\(position)")
        }
        for count in 0..<sealed.count {
            #expect(SealedValue.open(Array(sealed[..<count]), with: secret, at: key) == nil)
        }
    }

    @Test func `a record of a hand-off is the same in every version`() throws {
        let record = HandOffRecord(
            clientID: "shop", redirectURI: "https://shop.example/callback",
            codeChallenge: Array(repeating: 4, count: 32), issuer: "https://auth.example", claims: ["sub": "x"],
            upstream: ["id_token": "y"], user: ["name": "Ada"], reference: PageReference(loginID: [1]))
        #expect(
            record.encoded.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                == "000473686f70001d68747470733a2f2f73686f702e6578616d706c652f63616c6c6261636b00200404040404040404040404040404040404040404040404040404040404040404001468747470733a2f2f617574682e6578616d706c6500000000000000000b7b22737562223a2278227d0b00000000000000107b2269645f746f6b656e223a2279227d000000000000000e7b226e616d65223a22416461227d573259554d4a475a5659"
        )
        #expect(HandOffRecord(record.encoded) == record)
    }
}
