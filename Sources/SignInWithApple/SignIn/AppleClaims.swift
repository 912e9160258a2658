// SPDX-License-Identifier: Apache-2.0

import JOSE
public import OpenIDConnect

/// The claims of Apple's ID tokens, parsed in the forms that Apple uses.
///
/// Apple has sent its boolean claims as `true` and as `"true"`. Both are accepted, and nothing else is.
public struct AppleClaims: Sendable, Hashable {
    /// All claims of the token.
    public let claims: Claims

    /// Creates a view of the claims of a verified token.
    public init(_ claims: Claims) {
        self.claims = claims
    }

    /// The email: the user's own or a relay address. It must not be the key of an account, because the
    /// user can change it.
    public var email: String? { claims.string("email") }

    /// Whether Apple states that the email in the same token is verified. It is `false` if Apple does not state it,
    /// or if there is no email.
    public var emailIsVerified: Bool { email != nil && boolean("email_verified") == true }

    /// Whether Apple states that the email hides the user's own; `nil` if it does not state either.
    public var isPrivateEmail: Bool? { boolean("is_private_email") }

    /// Whether the address is one of Apple's relay addresses, whatever the other claims say.
    ///
    /// Mail to such an email arrives only from senders that are registered with Apple.
    public var isPrivateRelayAddress: Bool {
        guard let email, let at = email.utf8.lastIndex(of: UInt8(ascii: "@")), at != email.utf8.startIndex else {
            return false
        }
        // The comparison is ASCII only: letters of other scripts that are lowercased to ASCII do not match.
        let domain = email.utf8[email.utf8.index(after: at)...].map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return domain.elementsEqual(AppleIssuer.privateRelayDomain.utf8)
    }

    /// Apple's assessment of whether the user is real; `nil` if there is none, as at every sign-in except the first.
    public var realUserStatus: AppleRealUserStatus? {
        claims.integer("real_user_status").flatMap { Int(exactly: $0) }.map(AppleRealUserStatus.init(rawValue:))
    }

    /// Whether the platform of this sign-in supports a nonce; `nil` if the token does not state it, which means yes.
    public var nonceIsSupported: Bool? { boolean("nonce_supported") }

    /// The user's transfer identifier, for 60 days after the app was transferred from another team; see
    /// ``AppleTransfer``.
    public var transferSubject: String? { claims.string("transfer_sub") }

    private func boolean(_ name: String) -> Bool? { claims.object[name].flatMap(Self.boolean) }

    /// Parses `true`, `false`, `"true"` or `"false"`.
    static func boolean(_ value: JSONValue) -> Bool? {
        if let flag = value.boolValue { return flag }
        guard let text = value.text else { return nil }
        if text.hasSameBytes(as: "true") { return true }
        return text.hasSameBytes(as: "false") ? false : nil
    }
}
