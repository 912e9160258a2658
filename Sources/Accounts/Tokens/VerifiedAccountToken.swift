// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What a verified ID token of an account says. Only ``AccountTokens/verify(_:now:)`` makes it.
public struct VerifiedAccountToken: Sendable {
    /// The session, with the account (`sid` and `sub`).
    public let session: AuthenticatedSession
    /// The time at which the user was authenticated, in seconds since 1970 (`auth_time`).
    public let authTime: Int64
    /// The time at which the token was issued, in seconds since 1970 (`iat`), which lies up to five seconds before the
    /// signature.
    public let issuedAt: Int64
    /// The time from which the token is not valid, in seconds since 1970 (`exp`).
    public let expiry: Int64
    /// The provider of the sign-in with which the session began (`sign_in_provider`).
    public let providerID: String
    /// The email of the account; `nil` if it has none.
    public let email: EmailAddress?
    /// Whether an identity of the account has proved the email.
    public let isEmailVerified: Bool
    /// The name; `nil` if there is none.
    public let displayName: String?
    /// The address of a photo; `nil` if there is none (`picture`).
    public let photoURL: String?

    private let members: JSONObject

    /// The account, the `uid`.
    public var account: AccountID { session.account }

    /// All claims, as the text of a JSON object.
    public var claims: String { Self.json(members) }

    /// The claims that the operator gave the account, as the text of a JSON object; `nil` if there are none.
    public var customClaims: String? {
        var custom = members
        // No name that is reserved is longer than 16 bytes.
        custom.removeMembers { $0.ascii(atMost: 16).map { CustomClaims.reservedNames.contains($0) } ?? false }
        return custom.members.isEmpty ? nil : Self.json(custom)
    }

    /// Reads claims whose signature, issuer and audience were verified. No time is compared with the current one.
    /// - Throws: ``AccountTokenError`` with the code ``AccountTokenError/Code/claim``.
    init(_ claims: JSONObject) throws(AccountTokenError) {
        guard let subject = claims["sub"]?.text,
            let account = AccountID(subject)
        else { throw AccountTokenError(claim: "sub") }
        guard claims["user_id"]?.text?.hasSameBytes(as: subject) == true else {
            throw AccountTokenError(claim: "user_id")
        }
        guard let bytes = claims["sid"]?.text.flatMap({ Base64URL.decode($0) }),
            let sessionID = AccountSession.ID(bytes: bytes)
        else { throw AccountTokenError(claim: "sid") }
        guard let expiry = claims["exp"]?.secondsValue else { throw AccountTokenError(claim: "exp") }
        guard let issuedAt = claims["iat"]?.secondsValue else { throw AccountTokenError(claim: "iat") }
        let latestAuthTime = issuedAt + IssuedAt.allowance + AccountTokens.clockSkew
        guard let authTime = claims["auth_time"]?.secondsValue, authTime <= latestAuthTime else {
            throw AccountTokenError(claim: "auth_time")
        }
        guard let provider = claims["firebase"]?.objectValue?["sign_in_provider"]?.text, !provider.isEmpty else {
            throw AccountTokenError(claim: "sign_in_provider")
        }
        session = AuthenticatedSession(sessionID, of: account)
        self.authTime = authTime
        self.issuedAt = issuedAt
        self.expiry = expiry
        providerID = provider.makeString()
        let address = try Self.address(in: claims)
        email = address?.email
        isEmailVerified = address?.isVerified ?? false
        displayName = try Self.text("name", in: claims)
        photoURL = try Self.text("picture", in: claims)
        members = claims
    }

    /// The email, and whether it is proved, which must be said where there is one.
    private static func address(
        in claims: JSONObject
    ) throws(AccountTokenError) -> (email: EmailAddress, isVerified: Bool)? {
        guard let text = try Self.text("email", in: claims) else { return nil }
        guard let email = EmailAddress(text) else { throw AccountTokenError(claim: "email") }
        guard let isVerified = claims["email_verified"]?.boolValue else {
            throw AccountTokenError(claim: "email_verified")
        }
        return (email, isVerified)
    }

    /// A claim that may be absent.
    private static func text(_ name: String, in claims: JSONObject) throws(AccountTokenError) -> String? {
        guard let member = claims[name] else { return nil }
        guard let text = member.text else { throw AccountTokenError(claim: name) }
        return text.makeString()
    }

    private static func json(_ object: JSONObject) -> String {
        String(decoding: object.serialized(), as: UTF8.self)
    }
}
