// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// What a mock Apple does wrong, or does as Apple does on an old platform. One thing at a time.
    public enum Misbehavior: String, Sendable, Hashable, CaseIterable {
        /// Nothing: it is honest.
        case none

        // MARK: ID token

        /// `nonce_supported` is false and there is no `nonce`: an honest Apple on a platform without one.
        case nonceUnsupported
        /// `nonce_supported` is true and there is no `nonce`.
        case missingNonce
        /// `nonce` is another one.
        case wrongNonce
        /// `c_hash` is another code's.
        case wrongCodeHash
        /// There is no `c_hash` in the ID token beside the code.
        case missingCodeHash
        /// The token endpoint's ID token is another person's than the one beside the code.
        case otherSubjectFromTokenEndpoint
        /// The signature is not Apple's, though `kid` is.
        case wrongSignature
        /// `aud` is another client.
        case wrongAudience
        /// `iss` has a `1` at its end.
        case wrongIssuer

        // MARK: The field `user`

        /// The names are script.
        case scriptInUser
        /// The names are 30,000 characters long.
        case longUser
        /// The field has a megabyte.
        case oversizedUser
        /// The field is no JSON.
        case malformedUser
        /// The e-mail address in the field is somebody else's.
        case otherEmailInUser

        // MARK: Endpoints

        /// The token endpoint answers 503.
        case tokenEndpointUnavailable
        /// The token endpoint and the others answer `invalid_client`, as if the developer key had been revoked.
        case refusesClientSecrets
        /// The revocation endpoint answers 503.
        case revocationUnavailable
        /// The key set answers 503.
        case keySetUnavailable
    }
}
