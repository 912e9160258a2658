// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct SecureRandomTests {
    @Test(arguments: [0, 1, 48, 255, 256, 257, 1000])
    func `as many bytes as asked for`(count: Int) {
        #expect(SecureRandom.bytes(count).count == count)
    }

    @Test func `a negative count gives none`() {
        #expect(SecureRandom.bytes(-1).isEmpty)
    }

    @Test func `no two draws and no two parts of a long draw are the same`() {
        let long = SecureRandom.bytes(1024)
        let parts = (0..<64).map { Array(long[($0 * 16)..<($0 * 16 + 16)]) }
        let draws = (0..<64).map { _ in SecureRandom.bytes(16) }
        #expect(Set(parts + draws).count == 128)
    }
}
