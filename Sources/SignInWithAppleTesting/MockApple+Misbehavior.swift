// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// A single deviation of a mock Apple from its usual behavior: an error, or the behavior on an old platform.
    public enum Misbehavior: String, Sendable, CaseIterable {
        /// No misbehavior.
        case none

        // MARK: ID token

        /// `nonce_supported` is false and `nonce` is absent, as Apple does on a platform without nonce support.
        case nonceUnsupported
        /// `nonce_supported` is true and `nonce` is absent.
        case missingNonce
        /// `nonce` is not the one that was sent.
        case wrongNonce
        /// `c_hash` is that of another code.
        case wrongCodeHash
        /// The ID token that is returned with the code has no `c_hash`.
        case missingCodeHash
        /// The ID token of the token endpoint has another subject than the one returned with the code.
        case otherSubjectFromTokenEndpoint
        /// The signature is not by Apple's key, but `kid` names that key.
        case wrongSignature
        /// `aud` is another client.
        case wrongAudience
        /// `iss` ends in an additional `1`.
        case wrongIssuer

        // MARK: The field `user`

        /// The names contain script.
        case scriptInUser
        /// The names are 30,000 characters long.
        case longUser
        /// The field is one megabyte long.
        case oversizedUser
        /// The field is not JSON.
        case malformedUser
        /// The email in the field is that of another user.
        case otherEmailInUser

        // MARK: Endpoints

        /// The token endpoint responds with 503.
        case tokenEndpointUnavailable
        /// All endpoints that authenticate the client respond with `invalid_client`, as if the developer key had been
        /// revoked.
        case refusesClientSecrets
        /// The revocation endpoint responds with 503.
        case revocationUnavailable
        /// The key set responds with 503.
        case keySetUnavailable
    }
}
