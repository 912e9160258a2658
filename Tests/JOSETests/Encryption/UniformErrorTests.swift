// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

/// No oracle: whatever fails in decrypting, the response is one (RFC 7516 section 11.5).
@Suite struct UniformErrorTests {
    private func refuse(_ token: String, at location: SourceLocation = #_sourceLocation) throws {
        let keys = [try EncryptionSupport.p256Key(), try EncryptionSupport.rsaKey()]
        let error = try #require(throws: JSONWebEncryptionError.self, sourceLocation: location) {
            try JSONWebEncryption(compact: token).decrypted(with: keys)
        }
        #expect(error == .notDecryptable, sourceLocation: location)
        #expect("\(error)" == "the token does not decrypt", sourceLocation: location)
    }

    @Test(.attack(.paddingOracle)) func `one bit changed in any part`() throws {
        for token in [EncryptedTokens.rsaA256GCM, EncryptedTokens.rsaA128GCM, EncryptedTokens.ecdhA128GCM] {
            let isDirect = token == EncryptedTokens.ecdhA128GCM
            for segment in isDirect ? [2, 3, 4] : [1, 2, 3, 4] {
                for place in [0, 5, 11] {
                    try refuse(EncryptionSupport.changing(token, segment: segment) { $0[place] ^= 0x10 })
                }
            }
        }
    }

    @Test(.attack(.paddingOracle)) func `lengths: encrypted key, initialization vector, ciphertext, tag`() throws {
        for token in [EncryptedTokens.rsaA256GCM, EncryptedTokens.ecdhA256GCM] {
            for segment in 2...4 {
                try refuse(EncryptionSupport.changing(token, segment: segment) { $0.removeLast() })
                try refuse(EncryptionSupport.changing(token, segment: segment) { $0.append(0) })
                try refuse(EncryptionSupport.changing(token, segment: segment) { $0 = [] })
            }
            // A tag cut to 96 bits, which AES-GCM knows and RFC 7518 section 5.3 does not.
            try refuse(EncryptionSupport.changing(token, segment: 4) { $0 = Array($0.prefix(12)) })
        }
        for change: (inout [UInt8]) -> Void in [
            { $0.removeLast() }, { $0.append(0) }, { $0.insert(0, at: 0) }, { $0 = [] }, { $0 = [1] },
            { $0 = [UInt8](repeating: 0xFF, count: 256) }, { $0 = [UInt8](repeating: 0, count: 256) },
        ] {
            try refuse(EncryptionSupport.changing(EncryptedTokens.rsaA256GCM, segment: 1, change))
        }
    }

    @Test(.attack(.paddingOracle)) func `an encrypted key in direct agreement, where there is none`() throws {
        for key in [[0], [UInt8](repeating: 1, count: 16), [UInt8](repeating: 1, count: 256)] as [[UInt8]] {
            try refuse(EncryptionSupport.changing(EncryptedTokens.ecdhA128GCM, segment: 1) { $0 = key })
        }
    }

    @Test(.attack(.paddingOracle)) func `a key of another length than enc asks for, well wrapped`() throws {
        let vector = [UInt8](repeating: 2, count: 12)
        for count in [16, 24] {
            // AES-GCM would take it: the header says A256GCM.
            try refuse(
                EncryptionSupport.rsaToken(key: [UInt8](repeating: 1, count: count), initializationVector: vector))
        }
        // The control: with 32 bytes it decrypts.
        let token = try EncryptionSupport.rsaToken(
            key: [UInt8](repeating: 1, count: 32), initializationVector: vector)
        let key = try EncryptionSupport.rsaKey()
        #expect(try JSONWebEncryption(compact: token).decrypted(with: [key]) == EncryptedTokens.signedToken)
    }

    @Test(.attack(.paddingOracle))
    func `an initialization vector of another length than 96 bits, well sealed`() throws {
        for count in [13, 16, 64] {
            try refuse(
                EncryptionSupport.rsaToken(
                    key: [UInt8](repeating: 1, count: 32),
                    initializationVector: [UInt8](repeating: 2, count: count)))
        }
    }

    @Test(.attack(.paddingOracle)) func `the header is covered by the tag`() throws {
        for (token, addition) in [(EncryptedTokens.rsaA256GCM, 0x20), (EncryptedTokens.ecdhA128GCM, 0x20)] {
            try refuse(EncryptionSupport.changing(token, segment: 0) { $0.append(UInt8(addition)) })
        }
        // The sender of another token's share.
        let parts = try EncryptionSupport.token().split(separator: ".", omittingEmptySubsequences: false)
        let others = EncryptedTokens.ecdhA128GCM.split(separator: ".", omittingEmptySubsequences: false)
        try refuse((others[..<1] + parts[1...]).joined(separator: "."))
    }
}
