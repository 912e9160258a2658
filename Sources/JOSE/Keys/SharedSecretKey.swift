// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A secret shared by two parties, as a key for HMAC signatures (RFC 7518 section 3.2).
///
/// In OpenID Connect it consists of the octets of the client secret (Core section 10.1). It comes from configuration,
/// never from a key set. Printing it shows only its type.
package struct SharedSecretKey: Sendable, Unprinted {
    /// The minimum length of a secret for any algorithm, in bytes: the length of a SHA-256 hash.
    package static let fewestBytes = 32

    private let key: SymmetricKey

    /// - Parameter secret: The octets of the secret.
    /// - Returns: `nil` if there are fewer than ``fewestBytes`` bytes, which suffice for no algorithm.
    package init?(_ secret: [UInt8]) {
        guard secret.count >= Self.fewestBytes else { return nil }
        key = SymmetricKey(data: secret)
    }

    /// Whether the secret may be used with an algorithm: a symmetric one whose hash is not longer than the secret (RFC
    /// 7518 section 3.2: 32, 48 or 64 bytes).
    package func supports(_ algorithm: JSONWebAlgorithm) -> Bool {
        guard let required = Self.requiredByteCount(algorithm) else { return false }
        return key.bitCount / 8 >= required
    }

    /// Whether `signature` is the authentication code of `signingInput`. Compares in constant time.
    ///
    /// - Returns: `false` for an algorithm that this secret does not support.
    package func isValid(
        signature: [UInt8], for signingInput: ArraySlice<UInt8>, algorithm: JSONWebAlgorithm
    ) -> Bool {
        supports(algorithm) && ConstantTime.equal(code(over: signingInput, algorithm: algorithm), signature)
    }

    /// Whether `signature` is the authentication code of `signingInput`. Compares in constant time.
    package func isValid(signature: [UInt8], for signingInput: [UInt8], algorithm: JSONWebAlgorithm) -> Bool {
        isValid(signature: signature, for: signingInput[...], algorithm: algorithm)
    }

    /// The authentication code of the given bytes: 32, 48 or 64 bytes.
    ///
    /// - Returns: No bytes for an algorithm that this secret does not support; no verifier accepts an empty signature.
    package func signature(over bytes: [UInt8], algorithm: JSONWebAlgorithm) -> [UInt8] {
        supports(algorithm) ? code(over: bytes[...], algorithm: algorithm) : []
    }

    /// Signs claims, as `client_secret_jwt` does (OpenID Connect Core section 9).
    ///
    /// - Parameters:
    ///   - claims: The payload.
    ///   - algorithm: An algorithm that the secret supports. With any other, the signature is empty, which every
    ///     verifier refuses.
    ///   - header: Additional header members, which replace existing ones, so that tests can make invalid headers.
    /// - Returns: The compact JWS.
    package func sign(_ claims: JSONObject, algorithm: JSONWebAlgorithm, header: JSONObject = [:]) -> String {
        var fullHeader: JSONObject = ["alg": .string(algorithm.rawValue)]
        for member in header.members {
            fullHeader[member.name] = member.value
        }
        let signingInput = Base64URL.encode(fullHeader.serialized()) + "." + Base64URL.encode(claims.serialized())
        return signingInput + "." + Base64URL.encode(signature(over: Array(signingInput.utf8), algorithm: algorithm))
    }

    private static func requiredByteCount(_ algorithm: JSONWebAlgorithm) -> Int? {
        switch algorithm {
        case .hs256: SHA256.byteCount
        case .hs384: SHA384.byteCount
        case .hs512: SHA512.byteCount
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .eddsa, .ed25519: nil
        }
    }

    private func code(over bytes: ArraySlice<UInt8>, algorithm: JSONWebAlgorithm) -> [UInt8] {
        switch algorithm {
        case .hs256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        case .hs384: Array(HMAC<SHA384>.authenticationCode(for: bytes, using: key))
        case .hs512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .eddsa, .ed25519: []
        }
    }
}
