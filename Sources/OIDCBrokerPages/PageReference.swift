// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A short code on a page and in the lines and the audit about it (`auth.reference`), so that an operator finds what a
/// user reports. It is no secret.
///
/// A login has one reference from its start to the redemption of its code, derived from the login's ID in a way that
/// cannot be reversed. What has no login has a random one: lines that clients can cause at will are written once a
/// second, and a page whose own line was omitted has the reference of the line that was written.
package struct PageReference: Sendable, Hashable, CustomStringConvertible {
    /// The number of characters.
    package static let length = 10

    /// Digits and letters that are not mistaken for each other when they are read out.
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    private static let label = Array("oidc-broker reference v1".utf8)

    /// Ten characters.
    package let description: String

    /// Creates a random reference, for what has no login.
    package init() { self.init(bits: UInt64.random(in: 0...UInt64.max)) }

    /// Creates the reference of a login: the first 50 bits of SHA-256("oidc-broker reference v1", login ID).
    package init(loginID: [UInt8]) {
        let first = Hash.sha256(Self.label + loginID).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        self.init(bits: first >> 14)
    }

    /// Creates a reference from its characters; `nil` if they are not those of one.
    package init?(characters: [UInt8]) {
        guard characters.count == Self.length, characters.allSatisfy(Self.alphabet.contains) else { return nil }
        description = Self.text { characters[$0] }
    }

    /// - Parameter bits: The lowest 50 are used, five for each character.
    private init(bits: UInt64) {
        description = Self.text { Self.alphabet[Int(bits >> (5 * UInt64(Self.length - 1 - $0)) & 31)] }
    }

    /// - Parameter character: Returns the character at a place, which is one of the alphabet and so ASCII.
    private static func text(_ character: (_ place: Int) -> UInt8) -> String {
        String(unsafeUninitializedCapacity: length) { text in
            for place in 0..<length { text[place] = character(place) }
            return length
        }
    }
}
