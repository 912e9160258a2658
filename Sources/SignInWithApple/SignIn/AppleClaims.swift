// SPDX-License-Identifier: Apache-2.0

import JOSE
public import OpenIDConnect

/// The claims of Apple's ID tokens, read as Apple writes them.
///
/// What Apple calls a boolean has come as `true` and as `"true"`; both are read, and nothing else is.
public struct AppleClaims: Sendable, Hashable {
    /// All claims.
    public let claims: Claims

    /// A view over the claims of a verified token.
    public init(_ claims: Claims) {
        self.claims = claims
    }

    /// The e-mail address: the person's own or a relay address. Never a key of an account: the person can change it.
    public var email: String? { claims.string("email") }

    /// Whether Apple says that the address in this same token is verified; false where it does not say, and where there
    /// is no address.
    public var emailIsVerified: Bool { email != nil && boolean("email_verified") == true }

    /// Whether Apple says that the address hides the person's own; `nil` if it does not say.
    public var isPrivateEmail: Bool? { boolean("is_private_email") }

    /// Whether the address itself is one of Apple's relay addresses, whatever the token says beside it.
    ///
    /// Mail to such an address arrives only from senders that are registered with Apple.
    public var isPrivateRelayAddress: Bool {
        guard let email, let at = email.utf8.lastIndex(of: UInt8(ascii: "@")), at != email.utf8.startIndex else {
            return false
        }
        // ASCII only: letters of other scripts that lower to ASCII ones are not these.
        let domain = email.utf8[email.utf8.index(after: at)...].map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return domain.elementsEqual(AppleIssuer.privateRelayDomain.utf8)
    }

    /// Whether Apple takes the person for a real one; `nil` if it does not say, as at every sign-in but the first.
    public var realUserStatus: AppleRealUserStatus? {
        claims.integer("real_user_status").flatMap { Int(exactly: $0) }.map(AppleRealUserStatus.init(rawValue:))
    }

    /// Whether the platform of this sign-in carries a nonce; `nil` if the token does not say, which means yes.
    public var nonceIsSupported: Bool? { boolean("nonce_supported") }

    /// The person's transfer identifier, for 60 days after the app came from another team: what that team knew the
    /// person by; see ``AppleTransfer``.
    public var transferSubject: String? { claims.string("transfer_sub") }

    private func boolean(_ name: String) -> Bool? { claims.object[name].flatMap(Self.boolean) }

    /// `true`, `false`, `"true"` or `"false"`.
    static func boolean(_ value: JSONValue) -> Bool? {
        if let flag = value.boolValue { return flag }
        guard let text = value.text else { return nil }
        if text.hasSameBytes(as: "true") { return true }
        return text.hasSameBytes(as: "false") ? false : nil
    }
}
