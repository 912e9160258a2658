// SPDX-License-Identifier: Apache-2.0

/// What is wrong with an ID token on purpose. A relying party that accepts one is broken, however fast it is.
enum Spoiling: String, Sendable, Hashable, CaseIterable {
    case signature
    case nonce
    case audience
    case issuer
    case expiry
}
