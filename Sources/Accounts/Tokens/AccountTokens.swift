// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
public import Signing

/// Makes and verifies the ID tokens of the accounts of a project (OpenID Connect Core 1.0 section 2).
///
/// A token names the account (`sub`), its session (`sid`) and its identities. It is valid for ``lifetime``, whatever
/// becomes of the session in the meantime: only an operation on the store knows whether a session still exists.
public struct AccountTokens: Sendable {
    /// The lifetime of a token, in seconds.
    public static let lifetime: Int64 = 3600
    /// The maximum length of a token, in bytes.
    public static let maximumLength = 16_384
    /// How long the server that issued a token takes it after its expiry, in seconds: a device may have slept.
    package static let graceAfterExpiry: Int64 = 300
    /// How far the clocks of two servers may be apart, in seconds.
    static let clockSkew: Int64 = 60

    /// The `aud` of the tokens.
    public let projectID: String
    /// The `iss` of the tokens, a URL.
    public let issuer: String
    /// The keys.
    public let keys: SigningKeys

    /// Creates what makes and verifies the tokens of a project.
    /// - Parameters:
    ///   - projectID: The `aud`; see ``isProjectID(_:)``.
    ///   - issuer: The `iss`: an http or https URL of at most 2,048 bytes, without query and fragment.
    ///   - keys: The keys.
    /// - Returns: `nil` if the ID or the issuer is not of that form.
    public init?(projectID: String, issuer: String, keys: SigningKeys) {
        guard Self.isProjectID(projectID), let url = Self.issuerURL(issuer) else { return nil }
        self.projectID = projectID
        self.issuer = url.text
        self.keys = keys
    }

    /// Whether a text may be the ID of a project: 4 to 30 characters of a-z, 0-9 and `-`.
    public static func isProjectID(_ text: String) -> Bool {
        (4...30).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// Whether a text may be the `iss` of tokens: an http or https URL of at most 2,048 bytes, without query and fragment.
    public static func isIssuer(_ text: String) -> Bool { issuerURL(text) != nil }

    private static func issuerURL(_ text: String) -> AbsoluteURL? {
        guard let url = AbsoluteURL(text), url.query == nil else { return nil }
        return url
    }

    /// Whether ``sign(_:identities:session:now:)`` takes too long for an event loop, since the key is an RSA key.
    public var isSlow: Bool { keys.signing.isSlow }

    /// Makes the token of a session, with the header members `alg`, `kid` and `typ` (JWT).
    ///
    /// It is synchronous. With a P-256 key the signature takes about 24 microseconds. With an RSA key of 2048 bits it
    /// takes about 1.7 milliseconds, and more with a longer one, and belongs off the event loop. See ``isSlow``.
    ///
    /// Call it after the transaction that read or wrote the records was committed.
    /// - Parameters:
    ///   - account: The account.
    ///   - identities: All identities of the account.
    ///   - session: The session.
    ///   - now: The current time, in seconds since 1970: the `iat`.
    /// - Throws: ``AccountTokenError`` with the code ``AccountTokenError/Code/mismatch`` if the session or an identity
    ///   is another account's, or ``AccountTokenError/Code/tooLong`` if ``verify(_:now:)`` would refuse the token for
    ///   its length; or an error of the cryptographic library.
    public func sign(
        _ account: Account, identities: [AccountIdentity], session: AccountSession, now: Int64
    ) throws -> String {
        guard session.account == account.id, identities.allSatisfy({ $0.account == account.id }) else {
            throw AccountTokenError(.mismatch)
        }
        let payload = claims(for: account, identities: identities, session: session, now: now)
        let token = try keys.signing.signToken(JSONObjectText(payload))
        guard token.utf8.count <= Self.maximumLength else { throw AccountTokenError(.tooLong) }
        return token
    }
}
