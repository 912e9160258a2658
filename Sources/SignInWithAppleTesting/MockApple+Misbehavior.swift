// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// A single deviation of a mock Apple from its usual behavior: an error, or the behavior on an old platform.
    public struct Misbehavior: Sendable, Hashable, CustomStringConvertible {
        package enum Kind: String, Sendable, CaseIterable {
            case none, nonceUnsupported, missingNonce, wrongNonce, wrongCodeHash, missingCodeHash,
                otherSubjectFromTokenEndpoint, wrongSignature, wrongAudience, wrongIssuer, scriptInUser, longUser,
                oversizedUser, malformedUser, otherEmailInUser, tokenEndpointUnavailable, refusesClientSecrets,
                revocationUnavailable, keySetUnavailable
        }

        package let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// Every misbehavior that there is today; a later version may have more.
        public static let all = Kind.allCases.map { Misbehavior($0) }

        public var description: String { kind.rawValue }

        /// No misbehavior.
        public static let none = Misbehavior(.none)

        // MARK: ID token

        /// `nonce_supported` is false and `nonce` is absent, as Apple does on a platform without nonce support.
        public static let nonceUnsupported = Misbehavior(.nonceUnsupported)
        /// `nonce_supported` is true and `nonce` is absent.
        public static let missingNonce = Misbehavior(.missingNonce)
        /// `nonce` is not the one that was sent.
        public static let wrongNonce = Misbehavior(.wrongNonce)
        /// `c_hash` is that of another code.
        public static let wrongCodeHash = Misbehavior(.wrongCodeHash)
        /// The ID token that is returned with the code has no `c_hash`.
        public static let missingCodeHash = Misbehavior(.missingCodeHash)
        /// The ID token of the token endpoint has another subject than the one returned with the code.
        public static let otherSubjectFromTokenEndpoint = Misbehavior(.otherSubjectFromTokenEndpoint)
        /// The signature is not by Apple's key, but `kid` names that key.
        public static let wrongSignature = Misbehavior(.wrongSignature)
        /// `aud` is another client.
        public static let wrongAudience = Misbehavior(.wrongAudience)
        /// `iss` ends in an additional `1`.
        public static let wrongIssuer = Misbehavior(.wrongIssuer)

        // MARK: The field `user`

        /// The names contain script.
        public static let scriptInUser = Misbehavior(.scriptInUser)
        /// The names are 30,000 characters long.
        public static let longUser = Misbehavior(.longUser)
        /// The field is one megabyte long.
        public static let oversizedUser = Misbehavior(.oversizedUser)
        /// The field is not JSON.
        public static let malformedUser = Misbehavior(.malformedUser)
        /// The e-mail address in the field is that of another person.
        public static let otherEmailInUser = Misbehavior(.otherEmailInUser)

        // MARK: Endpoints

        /// The token endpoint responds with 503.
        public static let tokenEndpointUnavailable = Misbehavior(.tokenEndpointUnavailable)
        /// All endpoints that authenticate the client respond with `invalid_client`, as if the developer key had been
        /// revoked.
        public static let refusesClientSecrets = Misbehavior(.refusesClientSecrets)
        /// The revocation endpoint responds with 503.
        public static let revocationUnavailable = Misbehavior(.revocationUnavailable)
        /// The key set responds with 503.
        public static let keySetUnavailable = Misbehavior(.keySetUnavailable)
    }
}
