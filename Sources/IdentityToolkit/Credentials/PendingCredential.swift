// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// A verified sign-in that did not lead into an account yet, as where its identity is another account's. The app gets
/// it sealed, as `pendingToken`, and may present it instead of the provider's token; nothing is stored in the meantime.
///
/// Its lifetime counts from the verification, not from the sealing: a refusal that hands it out once more does not
/// extend it. The one transaction that succeeds uses up ``uses``. Printing shows nothing of it.
struct PendingCredential: Sendable, Unprinted {
    /// The lifetime, in seconds from the verification.
    static let lifetime: Int64 = 1800
    /// How much longer than the lifetime a store must remember what was used, in seconds: the clocks of two servers may
    /// differ.
    static let useReserve: Int64 = 120
    /// How far ahead the clock of the server may be that verified, in seconds.
    static let clockSkew: Int64 = 60
    /// The number of random bytes.
    static let randomByteCount = 16

    private static let useLabel = Array("identity-toolkit pending credential use v1".utf8)
    /// The latest time that a JSON number represents exactly.
    private static let latestTime: Int64 = 1 << 53

    /// What was verified.
    let identity: VerifiedIdentity
    /// The verified claims, and those of UserInfo.
    let claims: JSONObject
    /// The provider's ID token.
    let idToken: String
    /// The provider's access token; `nil` if there is none.
    let accessToken: String?
    /// The time at which the access token expires, in seconds since 1970; `nil` if the provider did not say.
    let accessTokenExpiry: Int64?
    /// The time of the verification, in seconds since 1970.
    let verifiedAt: Int64
    /// The `auth_time` of a session that begins with it, in seconds since 1970: the time at which the provider issued
    /// the ID token, and at most ``verifiedAt``.
    let authTime: Int64
    /// The use of the native ID token that it came from; `nil` if it came from none.
    let origin: TokenUse?
    /// The only account to which it may be linked, or which it may re-authenticate; `nil` if it may do everything.
    let account: AccountID?
    /// What makes it different from every other one, 16 random bytes.
    let random: [UInt8]

    /// Creates a credential of what was verified.
    init(
        _ identity: VerifiedIdentity, claims: JSONObject, idToken: String, accessToken: String? = nil,
        accessTokenExpiry: Int64? = nil, verifiedAt: Int64, authTime: Int64, origin: TokenUse? = nil,
        account: AccountID? = nil,
        random: [UInt8] = SecureRandom.bytes(PendingCredential.randomByteCount)
    ) {
        self.identity = identity
        self.claims = claims
        self.idToken = idToken
        self.accessToken = accessToken
        self.accessTokenExpiry = accessTokenExpiry.map { min($0, Self.latestTime) }
        self.verifiedAt = verifiedAt
        self.authTime = min(authTime, verifiedAt)
        self.origin = origin
        self.account = account
        self.random = random
    }

    /// What the transaction uses up that succeeds with this credential: itself, and the native ID token that it came
    /// from. Both are remembered until the credential cannot be presented any more.
    var uses: [TokenUse] {
        let expiry = verifiedAt + Self.lifetime + Self.useReserve
        let own = TokenUse(hash: Hash.sha256(Self.useLabel + random), expiry: expiry)
        guard let origin else { return [own] }
        return [own, TokenUse(hash: origin.hash, expiry: max(origin.expiry, expiry))]
    }

    /// The credential with the subject as its only claim. The identity has all that the account needs.
    var withoutProfile: PendingCredential {
        PendingCredential(
            identity, claims: ["sub": .string(identity.key.subject)], idToken: idToken, accessToken: accessToken,
            accessTokenExpiry: accessTokenExpiry, verifiedAt: verifiedAt, authTime: authTime, origin: origin,
            account: account, random: random)
    }

    /// Whether the credential may be presented at a time.
    func isUsable(at now: Int64) -> Bool {
        verifiedAt - Self.clockSkew <= now && now < verifiedAt + Self.lifetime
    }
}
