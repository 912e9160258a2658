// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct KeyDerivationTests {
    /// RFC 5869 appendix A.3: no salt, no info.
    @Test func `vector of RFC 5869`() {
        let key = [UInt8](repeating: 0x0B, count: 22)
        #expect(
            KeyDerivation.derive(key: key, info: "", count: 42)
                == bytes(
                    hex: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    /// Computed with Python's hmac.
    @Test func `the purpose changes the key`() {
        let key = [UInt8](repeating: 0x0B, count: 22)
        #expect(
            KeyDerivation.derive(key: key, info: "state", count: 32)
                == bytes(hex: "407eac161153a2d46b70d141e277a492b6a1e9f296cda0d12be2f26ee20ec94d"))
    }
}
