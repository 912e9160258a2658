// SPDX-License-Identifier: Apache-2.0

/// A deliberate error in an ID token. A relying party that accepts it is broken, however fast it is.
enum Spoiling: String, Sendable, Hashable, CaseIterable {
    case signature
    case nonce
    case audience
    case issuer
    case expiry
}
