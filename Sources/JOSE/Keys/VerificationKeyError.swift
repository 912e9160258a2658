// SPDX-License-Identifier: Apache-2.0

/// The reason why a JWK cannot verify signatures here. It contains no part of the key.
package enum VerificationKeyError: String, Error, Hashable, CustomStringConvertible {
    /// The entry of the key set is not an object.
    case notAnObject = "not an object"
    /// `kty` is missing or unknown.
    case unsupportedKeyType = "unsupported kty"
    /// `kty` is `oct`: a shared secret does not belong among public keys.
    case symmetricKey = "symmetric key"
    /// The entry publishes private members, so its signatures prove nothing.
    case privateMembers = "private members published"
    /// `crv` is missing or unknown.
    case unsupportedCurve = "unsupported crv"
    /// `alg` is not a signature algorithm that this key can serve.
    case unsupportedAlgorithm = "alg does not fit"
    /// `use` is not `sig`, or `key_ops` does not contain `verify`.
    case notForVerification = "not for verifying signatures"
    /// `kid` is not a string, or is longer than 1 KB.
    case invalidKeyID = "unusable kid"
    /// A number or coordinate is missing, not base64url, or of the wrong length.
    case invalidEncoding = "unusable key material"
    /// The RSA modulus has fewer than 2048 or more than 8192 bits.
    case unsupportedKeySize = "RSA modulus outside 2048 to 8192 bits"
    /// The RSA modulus is even, so it is not a product of two large primes.
    case evenModulus = "even RSA modulus"
    /// The RSA exponent is even, 1, or longer than 32 bits.
    case unsupportedExponent = "unusable RSA exponent"
    /// The cryptographic library refuses the key, for instance a point that is not on its curve.
    case invalidKey = "invalid key"

    package var description: String { rawValue }
}
