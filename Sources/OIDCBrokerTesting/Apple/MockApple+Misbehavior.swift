// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// What a mock Apple does wrong, or does as Apple does on an old platform. One thing at a time.
    public struct Misbehavior: Sendable, Hashable, CustomStringConvertible {
        package enum Kind: String, Sendable, CaseIterable {
            case none, nonceUnsupported, missingNonce, wrongNonce, wrongCodeHash, missingCodeHash,
                otherSubjectFromTokenEndpoint, wrongSignature, wrongAudience, wrongIssuer, scriptInUser, longUser,
                oversizedUser, malformedUser, otherEmailInUser, tokenEndpointUnavailable, refusesClientSecrets,
                revocationUnavailable, keySetUnavailable
        }

        package let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// Every misbehavior that there is today.
        package static let all = Kind.allCases.map { Misbehavior($0) }

        public var description: String { kind.rawValue }

        /// Nothing: it is honest.
        public static let none = Misbehavior(.none)

        // MARK: ID token

        /// `nonce_supported` is false and there is no `nonce`: an honest Apple on a platform without one.
        public static let nonceUnsupported = Misbehavior(.nonceUnsupported)
        /// `nonce_supported` is true and there is no `nonce`.
        public static let missingNonce = Misbehavior(.missingNonce)
        /// `nonce` is another one.
        public static let wrongNonce = Misbehavior(.wrongNonce)
        /// `c_hash` is another code's.
        public static let wrongCodeHash = Misbehavior(.wrongCodeHash)
        /// There is no `c_hash` in the ID token beside the code.
        public static let missingCodeHash = Misbehavior(.missingCodeHash)
        /// The token endpoint's ID token is another person's than the one beside the code.
        public static let otherSubjectFromTokenEndpoint = Misbehavior(.otherSubjectFromTokenEndpoint)
        /// The signature is not Apple's, though `kid` is.
        public static let wrongSignature = Misbehavior(.wrongSignature)
        /// `aud` is another client.
        public static let wrongAudience = Misbehavior(.wrongAudience)
        /// `iss` has a `1` at its end.
        public static let wrongIssuer = Misbehavior(.wrongIssuer)

        // MARK: The field `user`

        /// The names are script.
        public static let scriptInUser = Misbehavior(.scriptInUser)
        /// The names are 30,000 characters long.
        public static let longUser = Misbehavior(.longUser)
        /// The field has a megabyte.
        public static let oversizedUser = Misbehavior(.oversizedUser)
        /// The field is no JSON.
        public static let malformedUser = Misbehavior(.malformedUser)
        /// The e-mail address in the field is somebody else's.
        public static let otherEmailInUser = Misbehavior(.otherEmailInUser)

        // MARK: Endpoints

        /// The token endpoint answers 503.
        public static let tokenEndpointUnavailable = Misbehavior(.tokenEndpointUnavailable)
        /// The token endpoint and the others answer `invalid_client`, as if the developer key had been revoked.
        public static let refusesClientSecrets = Misbehavior(.refusesClientSecrets)
        /// The revocation endpoint answers 503.
        public static let revocationUnavailable = Misbehavior(.revocationUnavailable)
        /// The key set answers 503.
        public static let keySetUnavailable = Misbehavior(.keySetUnavailable)
    }
}
