// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
public import OpenIDRelyingParty

extension MockApple {
    /// A key for Sign in with Apple, as the developer account provides it: the IDs and the `.p8` file.
    public struct DeveloperKey: Sendable {
        /// The team ID, 10 characters.
        public let teamID: String
        /// The key ID, 10 characters.
        public let keyID: String
        /// The content of the `.p8` file: PKCS#8, P-256.
        public let privateKey: Secret
        /// The public key.
        let publicKey: P256.Signing.PublicKey

        /// Generates a key.
        /// - Parameters:
        ///   - teamID: 10 characters of A-Z and 0-9.
        ///   - keyID: The key ID; `nil` to generate one.
        public static func make(teamID: String, keyID: String? = nil) -> DeveloperKey {
            let key = P256.Signing.PrivateKey()
            return DeveloperKey(
                teamID: teamID, keyID: keyID ?? randomIdentifier(), privateKey: Secret(key.pemRepresentation),
                publicKey: key.publicKey)
        }

        private static func randomIdentifier() -> String {
            let characters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
            return String(decoding: SecureRandom.bytes(10).map { characters[Int($0 & 31)] }, as: UTF8.self)
        }
    }
}
