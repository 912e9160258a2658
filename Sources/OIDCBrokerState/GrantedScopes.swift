// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The scopes of a sign-in in addition to `openid`: those that the app asked for and the configuration of the provider
/// has, whether or not a claim of theirs came (RFC 6749 section 3.3).
package struct GrantedScopes: Sendable, Hashable {
    /// The scopes of OpenID Connect Core 1.0 sections 5.4 and 11 and Apple's `name`. Each is one bit.
    private static let known = ["profile", "email", "name", "address", "phone", "offline_access"]
    /// The bit of the encoded scopes that says that a text with others follows.
    private static let othersBit: UInt8 = 0x80

    /// A bit for each of the ``known`` scopes.
    private var bits: UInt8 = 0
    /// The other scopes, in the order of the configuration.
    private var others: [String] = []

    /// No scope in addition to `openid`.
    package static let none = GrantedScopes([])

    /// The scopes of a native credential. The app asked the provider itself, so the broker does not know which ones it
    /// asked for, and all claims of the credential are handed on.
    package static let ofNativeCredential = GrantedScopes(["profile", "email"])

    /// Creates scopes. `openid` need not be among them.
    package init(_ names: [String]) {
        for name in names where name != "openid" {
            if let index = Self.known.firstIndex(of: name) { bits |= 1 << UInt8(index) } else { others.append(name) }
        }
    }

    /// Creates scopes from a ``text``.
    package init(text: String) {
        self.init(text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) })
    }

    /// The scopes of an app's request that a provider has.
    package init(asked: [WireText], of provider: [String]) {
        self.init(provider.filter { name in asked.contains { $0.hasSameBytes(asASCII: name) } })
    }

    /// The scopes without `openid`.
    private var names: [String] {
        Self.known.indices.filter { bits & 1 << UInt8($0) != 0 }.map { Self.known[$0] } + others
    }

    /// The `scope` of the token response (RFC 6749 section 5.1).
    package var text: String { (["openid"] + names).joined(separator: " ") }

    /// Whether the claims about the email are handed on (OpenID Connect Core 1.0 section 5.4).
    package var hasEmail: Bool { bits & 0b10 != 0 }

    /// Whether the claim `address` is handed on.
    package var hasAddress: Bool { bits & 0b1000 != 0 }

    /// Whether the claims about the phone number are handed on.
    package var hasPhone: Bool { bits & 0b1_0000 != 0 }

    /// Whether the claims about the name and the picture are handed on. Apple's scope for the name is `name`.
    package var hasProfile: Bool { bits & 0b101 != 0 }

    /// Whether the app may have a refresh token (OpenID Connect Core 1.0 section 11).
    package var hasOfflineAccess: Bool { bits & 0b10_0000 != 0 }

    /// Returns those of the scopes that are asked for; `nil` if another one that is known is. Any other is ignored, and
    /// `openid` always stays.
    package func narrowed(to asked: [String], known: [String]) -> GrantedScopes? {
        let names = names
        let isMore = known.contains { asked.contains($0) && !(names + ["openid"]).contains($0) }
        return isMore ? nil : GrantedScopes(names.filter { asked.contains($0) })
    }

    /// Writes the scopes, the known ones as one byte.
    package func write(to writer: inout ByteWriter) {
        writer.write(bits | (others.isEmpty ? 0 : Self.othersBit))
        if !others.isEmpty { writer.write(counted: others.joined(separator: " ").utf8) }
    }

    /// Reads the scopes; `nil` if they were not written by ``write(to:)``.
    package init?(from reader: inout ByteReader) {
        guard let first = reader.readByte(), first & ~Self.othersBit < 1 << UInt8(Self.known.count) else { return nil }
        bits = first & ~Self.othersBit
        guard first & Self.othersBit != 0 else { return }
        guard let text = reader.readCountedString() else { return nil }
        let names = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        others = names.map { String(Substring($0)) }
        // A sealed value has exactly one encoding.
        guard others.allSatisfy({ !$0.isEmpty && $0 != "openid" && !Self.known.contains($0) }) else { return nil }
    }
}
