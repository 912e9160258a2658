// SPDX-License-Identifier: Apache-2.0

/// Why a JWK cannot verify signatures here. Holds no part of the key.
package enum VerificationKeyError: String, Error, Hashable, CustomStringConvertible {
    /// The entry of the key set is no object.
    case notAnObject = "not an object"
    /// `kty` is missing or unknown.
    case unsupportedKeyType = "unsupported kty"
    /// `kty` is `oct`: a shared secret has no place among public keys.
    case symmetricKey = "symmetric key"
    /// The entry publishes what only the key's owner may know: anybody can sign with it.
    case privateMembers = "private members published"
    /// `crv` is missing or unknown.
    case unsupportedCurve = "unsupported crv"
    /// `alg` names no signature algorithm that this key can serve.
    case unsupportedAlgorithm = "alg does not fit"
    /// `use` is not `sig`, or `key_ops` does not contain `verify`.
    case notForVerification = "not for verifying signatures"
    /// `kid` is no string, or longer than 1 KB.
    case invalidKeyID = "unusable kid"
    /// A number or coordinate is missing, not base64url, or of the wrong length.
    case invalidEncoding = "unusable key material"
    /// An RSA modulus of fewer than 2048 or more than 8192 bits.
    case unsupportedKeySize = "RSA modulus outside 2048 to 8192 bits"
    /// An RSA modulus that is even: no product of two large primes.
    case evenModulus = "even RSA modulus"
    /// An RSA exponent that is even, 1, or longer than 32 bits.
    case unsupportedExponent = "unusable RSA exponent"
    /// The cryptographic library refuses the key, for instance a point that is not on its curve.
    case invalidKey = "invalid key"

    package var description: String { rawValue }
}
