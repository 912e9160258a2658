// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct ConstantTimeTests {
    @Test func `equal means the same bytes`() {
        #expect(ConstantTime.equal([1, 2, 3], [1, 2, 3]))
        #expect(ConstantTime.equal([UInt8](), [UInt8]()))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.equal([0, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 0]))
        #expect(ConstantTime.equal("nonce", "nonce"))
        #expect(!ConstantTime.equal("nonce", "Nonce"))
    }

    @Test func `canonical equivalence is not equality`() {
        #expect("K" == "\u{212A}")
        #expect(!ConstantTime.equal("K", "\u{212A}"))
        #expect(!ConstantTime.equal("\u{E9}", "e\u{301}"))
    }

    @Test func `a difference in any one bit is seen`() {
        let base = [UInt8](repeating: 0x5A, count: 32)
        for place in 0..<32 {
            for bit in 0..<8 {
                var other = base
                other[place] ^= 1 << UInt8(bit)
                #expect(!ConstantTime.equal(base, other))
            }
        }
    }
}
