// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension AccountSession {
    /// The wire of a session, which alone takes its tokens.
    public enum Wire: Int64, Sendable, Hashable {
        /// That of the SDKs.
        case sdk = 0
        /// The token endpoint of OpenID apps.
        case app = 1

        /// The name, for operators.
        package var name: String {
            switch self {
            case .sdk: "sdk"
            case .app: "openid"
            }
        }
    }

    /// The wire of the session.
    public var wire: Wire { grant == nil ? .sdk : .app }

    /// Whether it is the session of an OpenID app that has refresh tokens, by the scope `offline_access`.
    var hasRefreshTokens: Bool {
        Scopes.split(WireText(grant?.scope ?? "")).contains { $0.hasSameBytes(asASCII: "offline_access") }
    }

    /// What a user granted an OpenID app.
    public struct Grant: Sendable, Hashable {
        /// The granted scopes (RFC 6749 section 3.3). They never change.
        public let scope: String
        /// The claims that the sign-in gave the app, as the text of a JSON object. They never change.
        public let claims: String
        /// The time of the last use, in seconds since 1970.
        public internal(set) var lastUsedAt: Int64
        /// How often the refresh token was replaced.
        public internal(set) var generation: UInt32
        /// The identifier of the key of the newest refresh token.
        public internal(set) var keyID: [UInt8]
        /// The times at which the refresh token was last replaced, in seconds since 1970, the newest last.
        public internal(set) var rotations: [Int64]

        /// Creates a grant.
        package init(
            scope: String, claims: String, lastUsedAt: Int64, generation: UInt32, keyID: [UInt8], rotations: [Int64]
        ) {
            self.scope = scope
            self.claims = claims
            self.lastUsedAt = lastUsedAt
            self.generation = generation
            self.keyID = keyID
            self.rotations = rotations
        }

        /// ``rotations`` as a store keeps them, 8 bytes each.
        package var rotationBytes: [UInt8] {
            rotations.flatMap { time in withUnsafeBytes(of: time.bigEndian) { Array($0) } }
        }

        /// Reads what ``rotationBytes`` wrote; `nil` if it did not write this.
        package static func rotations(_ bytes: [UInt8]) -> [Int64]? {
            guard bytes.count.isMultiple(of: 8) else { return nil }
            return stride(from: 0, to: bytes.count, by: 8).map { start in
                bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
            }
        }
    }

    /// The refresh tokens of an app's session; `nil` for a session of the SDKs' wire.
    package var family: RefreshTokenFamily? {
        get {
            grant.map {
                RefreshTokenFamily(
                    secretHash: secretHash, generation: $0.generation, keyID: $0.keyID, rotations: $0.rotations)
            }
        }
        set {
            guard let newValue else { return }
            secretHash = newValue.secretHash
            grant?.generation = newValue.generation
            grant?.keyID = newValue.keyID
            grant?.rotations = newValue.rotations
        }
    }
}
