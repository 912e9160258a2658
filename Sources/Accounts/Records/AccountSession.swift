// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A session of an account: what a refresh token stands for. Sessions are records, so that they can be listed and ended one
/// by one.
public struct AccountSession: Sendable, Hashable {
    /// The identifier, 16 random bytes; the `sid` of tokens.
    public struct ID: Sendable, Hashable {
        /// The length, in bytes.
        public static let byteCount = 16

        /// The bytes.
        public let bytes: [UInt8]

        /// Creates a random identifier.
        public init() { bytes = SecureRandom.bytes(Self.byteCount) }

        /// Creates an identifier; `nil` unless there are ``byteCount`` bytes.
        public init?(bytes: [UInt8]) {
            guard bytes.count == Self.byteCount else { return nil }
            self.bytes = bytes
        }
    }

    /// The identifier.
    public let id: ID
    /// The SHA-256 hash of the secret of the refresh token. Only that of an app's session changes, with a rotation.
    public internal(set) var secretHash: [UInt8]
    /// The account.
    public let account: AccountID
    /// The provider of the sign-in with which the session began.
    public internal(set) var providerID: String
    /// The app in which the session began: an app of the SDK, or the client ID of an OpenID app; `nil` if there is none.
    public let app: String?
    /// The hash of the provider's session in which this one began (``hash(ofProviderSession:issuer:)``); `nil` if the
    /// provider named none.
    public let providerSession: [UInt8]?
    /// The time at which the user was authenticated, in seconds since 1970. It never changes.
    public let authTime: Int64
    /// The time at which the user was last proved to be there, as by a revocation at the provider, in seconds since
    /// 1970; `nil` if there was no proof since ``authTime``.
    public var lastProofAt: Int64?
    /// The time at which the session began, in seconds since 1970.
    public let createdAt: Int64
    /// The day of its last use, in days since 1970.
    public var lastUsedOn: Int64
    /// The time from which the session has ended, in seconds since 1970.
    public var expiry: Int64
    /// What the session of an OpenID app has beside; `nil` for one of the SDKs' wire.
    public internal(set) var grant: Grant?

    /// Creates a session.
    public init(
        id: ID, secretHash: [UInt8], account: AccountID, providerID: String, app: String?, authTime: Int64,
        createdAt: Int64, expiry: Int64, grant: Grant? = nil, providerSession: [UInt8]? = nil
    ) {
        self.id = id
        self.secretHash = secretHash
        self.account = account
        self.providerID = providerID
        self.app = app
        self.providerSession = providerSession
        self.authTime = authTime
        self.createdAt = createdAt
        lastUsedOn = Self.day(createdAt)
        self.expiry = expiry
        self.grant = grant
    }

    /// The SHA-256 hash under which the session of a provider is kept.
    /// - Parameters:
    ///   - id: The `sid` of the provider's ID tokens and logout tokens (OpenID Connect Back-Channel Logout 1.0 section
    ///     2.1), which is unique for its issuer.
    ///   - issuer: The issuer.
    public static func hash(ofProviderSession id: String, issuer: String) -> [UInt8] {
        Hash.sha256(Hash.sha256(Array(issuer.utf8)) + Array(id.utf8))
    }

    /// The ``expiry`` of a session that was ended, and of one that had to make room for another one: both by every clock.
    static let (ended, displaced): (Int64, Int64) = (0, 1)

    /// Whether it was ended, and neither expired nor had to make room.
    var hasEnded: Bool { expiry == Self.ended }

    /// The day of a time, in days since 1970.
    static func day(_ time: Int64) -> Int64 { time / 86_400 }

    /// The later of the authentication and the last proof, in seconds since 1970.
    public var provedAt: Int64 { max(authTime, lastProofAt ?? authTime) }
}

extension AccountSession {
    /// Whether this record of a session may take the place of another one: what never changes agrees, and the secret is
    /// another one only after a rotation. A store refuses a write otherwise.
    package func mayReplace(_ other: AccountSession) -> Bool {
        let (rotations, known) = (grant?.generation ?? 0, other.grant?.generation ?? 0)
        return id == other.id && account == other.account && authTime == other.authTime
            && createdAt == other.createdAt && app == other.app && wire == other.wire
            && grant?.scope == other.grant?.scope && grant?.claims == other.grant?.claims
            && rotations >= known && (secretHash == other.secretHash || rotations > known)
    }

    /// Writes the new ID of the provider with which the session began.
    package mutating func renameProvider(to newID: String) { providerID = newID }
}
