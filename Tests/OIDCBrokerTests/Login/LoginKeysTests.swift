// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerState

/// The keys derived from a sealing key.
struct LoginKeysTests {
    private let sealingKey = [UInt8](repeating: 7, count: 32)
    private let loginID = [UInt8](repeating: 1, count: 16)
    private let binding = [UInt8](repeating: 2, count: 32)

    /// HKDF-SHA-256 by swift-crypto, without a salt.
    private func derived(_ info: String, _ count: Int) -> SymmetricKey {
        Crypto.HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: sealingKey), info: Data(info.utf8), outputByteCount: count)
    }

    private func code(_ info: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(loginID + binding), using: derived(info, 32))
        return ProofKey.base64url(Array(code))
    }

    @Test func `verifier and nonce are HMACs of login id and binding value under keys of their own`() {
        let keys = LoginKeys(sealingKey: sealingKey)
        let verifier = keys.codeVerifier(loginID: loginID, binding: binding).value
        let nonce = keys.rawNonce(loginID: loginID, binding: binding)
        #expect(verifier == code("oidc-broker code verifier v1"))
        #expect(nonce == code("oidc-broker nonce v1"))
        #expect(verifier != nonce)
        #expect(keys.keyID == derived("oidc-broker key id v1", 4).withUnsafeBytes { Array($0) })
    }

    @Test func `another login, another browser or another key gives other values`() {
        let keys = LoginKeys(sealingKey: sealingKey)
        let other = LoginKeys(sealingKey: Array(repeating: 8, count: 32))
        let values: Set<String> = [
            keys.rawNonce(loginID: loginID, binding: binding),
            keys.rawNonce(loginID: Array(repeating: 3, count: 16), binding: binding),
            keys.rawNonce(loginID: loginID, binding: Array(repeating: 3, count: 32)),
            other.rawNonce(loginID: loginID, binding: binding),
            keys.codeVerifier(loginID: loginID, binding: binding).value,
            other.codeVerifier(loginID: loginID, binding: binding).value,
        ]
        #expect(values.count == 6)
        #expect(keys.keyID != other.keyID)
    }

    @Test func `the DPoP key of a login is fixed by the sealing key, the login id and the binding value`() throws {
        // Made by Python's hmac and cryptography: HKDF, HMAC with the counter 0, and the thumbprint of the point.
        let keys = LoginKeys(sealingKey: Array(0..<32))
        let login = try keys.dpopKey(loginID: Array(0..<16), binding: Array(100..<132))
        #expect(login.thumbprint == "Zhc4XlgnusqVmRBbjP5SVVEi7BtC_mcgPgYPdv0mTfk")
        let others = [
            try keys.dpopKey(loginID: Array(1..<17), binding: Array(100..<132)),
            try keys.dpopKey(loginID: Array(0..<16), binding: Array(101..<133)),
            try LoginKeys(sealingKey: Array(1..<33)).dpopKey(loginID: Array(0..<16), binding: Array(100..<132)),
        ]
        #expect(Set(others.map(\.thumbprint) + [login.thumbprint]).count == 4)
    }
}
