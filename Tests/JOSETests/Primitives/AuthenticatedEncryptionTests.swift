// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct AuthenticatedEncryptionTests {
    private let key = SealingSecret(bytes: Array(0..<32))
    private let aad = Array("aad".utf8)

    /// Sealed by Python's cryptography (OpenSSL).
    @Test func `opens and seals as OpenSSL does`() throws {
        let box = bytes(hex: "000102030405060708090a0b3476b76fa0a81382ce35d391a1d9e54cea82973938")
        #expect(AuthenticatedEncryption.open(box, key: key, authenticating: aad) == Array("state".utf8))
        let sealed = try AuthenticatedEncryption.seal(
            Array("state".utf8), key: key, nonce: Array(0..<12), authenticating: aad)
        #expect(sealed == box)
    }

    @Test func `there and back, under a new nonce each time`() throws {
        for plaintext in [[], [7], SecureRandom.bytes(1000)] as [[UInt8]] {
            let first = try AuthenticatedEncryption.seal(plaintext, key: key, authenticating: aad)
            let second = try AuthenticatedEncryption.seal(plaintext, key: key, authenticating: aad)
            #expect(first != second)
            #expect(first.count == plaintext.count + AuthenticatedEncryption.overheadByteCount)
            #expect(AuthenticatedEncryption.open(first, key: key, authenticating: aad) == plaintext)
            #expect(AuthenticatedEncryption.open(second, key: key, authenticating: aad) == plaintext)
        }
    }

    @Test func `a changed bit, a shortened box, other bound bytes or another key open nothing`() throws {
        let box = try AuthenticatedEncryption.seal([1, 2, 3], key: key, authenticating: aad)
        for place in box.indices {
            var changed = box
            changed[place] ^= 1
            #expect(AuthenticatedEncryption.open(changed, key: key, authenticating: aad) == nil)
        }
        for length in 0..<box.count {
            #expect(AuthenticatedEncryption.open(Array(box[..<length]), key: key, authenticating: aad) == nil)
        }
        #expect(AuthenticatedEncryption.open(box, key: key, authenticating: []) == nil)
        let other = SealingSecret(bytes: Array(1..<33))
        #expect(AuthenticatedEncryption.open(box, key: other, authenticating: aad) == nil)
    }

    @Test(arguments: [0, 16, 24, 31, 33])
    func `a key of another length than 32 bytes seals nothing`(length: Int) {
        let short = SealingSecret(bytes: [UInt8](repeating: 1, count: length))
        #expect(throws: AuthenticatedEncryptionError.wrongLength) {
            try AuthenticatedEncryption.seal([1], key: short, authenticating: [])
        }
        let box = [UInt8](repeating: 0, count: 64)
        #expect(AuthenticatedEncryption.open(box, key: short, authenticating: []) == nil)
    }

    @Test func `a nonce of another length is refused`() {
        #expect(throws: AuthenticatedEncryptionError.wrongLength) {
            try AuthenticatedEncryption.seal([1], key: key, nonce: [1, 2, 3], authenticating: [])
        }
    }

    @Test func `a secret does not print its bytes`() {
        let secret = SealingSecret(bytes: [UInt8](repeating: 0x41, count: 32))
        #expect("\(secret)" == "SealingSecret")
        #expect(String(reflecting: secret) == "SealingSecret")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("65") && !dumped.contains("SymmetricKey"))
    }
}
