// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The keys under which the secrets of refresh tokens of apps are derived, and nothing else.
///
/// A secret is the HMAC-SHA-256 of the secret before it, the session and the number of rotations. So the answer to a
/// repeated request can be given again although the store has hashes only, and an old token can be told from an invented
/// one. A token that is out stays valid when its key is gone.
package struct SuccessorKeys: Sendable {
    /// A key.
    package struct Key: Sendable {
        /// The identifier, 4 bytes that reveal nothing about the key. It is kept with the session.
        package let id: [UInt8]
        private let key: Hash.AuthenticationKey

        fileprivate init(sealingKey: [UInt8]) {
            id = KeyDerivation.derive(key: sealingKey, info: "oidc-broker refresh token key id v1", count: 4)
            key = Hash.AuthenticationKey(
                KeyDerivation.derive(key: sealingKey, info: "oidc-broker refresh token v1", count: 32))
        }

        /// The secret that replaces another one.
        func secret(after secret: [UInt8], of session: AccountSession.ID, generation: UInt32) -> [UInt8] {
            key.code(for: secret + session.bytes + SuccessorKeys.bytes(of: generation))
        }
    }

    private let keys: [Key]

    /// Derives the keys.
    /// - Parameter sealingKeys: The broker's sealing keys, newest first, 32 bytes each.
    package init(sealingKeys: [[UInt8]]) { keys = sealingKeys.map { Key(sealingKey: $0) } }

    /// The key for new secrets; `nil` if there are none.
    package var current: Key? { keys.first }

    /// The key of an identifier; `nil` if it is gone.
    func key(_ id: [UInt8]) -> Key? { keys.first { $0.id == id } }

    static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
