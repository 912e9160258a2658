// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What the token is bound to.
extension RefusedTokens {
    /// `at_hash`, `c_hash` and `s_hash` (OpenID Connect Core 1.0 section 3.3.2.11, FAPI 1.0 part 2 section 5.1).
    static let hashes: [TokenChange] =
        HashClaim.all.flatMap { wrongHashes(of: $0) + wrongAlgorithms(of: $0) } + missingHashes + nothingToHash

    private static func wrongHashes(of claim: HashClaim) -> [TokenChange] {
        let values: [(String, JSONValue)] = [
            ("empty", ""), ("an empty list", []), ("a number", 1), ("a list of the right one", [.string(claim.sha256)]),
            ("of something else", .string(HashClaim.ofAnother)),
            ("one character short", .string(String(claim.sha256.dropLast()))),
            ("one character long", .string(claim.sha256 + "A")),
            ("padded", .string(claim.sha256 + "==")),
            ("in lower case", .string(claim.sha256.lowercased())),
            ("the whole hash", .string(claim.whole)),
            ("what is hashed itself", .string(claim.text)),
            ("SHA-384 under an algorithm with SHA-256", .string(claim.sha384)),
            ("SHA-512 under an algorithm with SHA-256", .string(claim.sha512)),
        ]
        return values.map { description, value in
            TokenChange(claim.check, "\(claim.name) is \(description)") {
                $0.bind(claim)
                $0.claims[claim.name] = value
            }
        }
    }

    private static func wrongAlgorithms(of claim: HashClaim) -> [TokenChange] {
        let hashes: [(String, JSONWebAlgorithm, String)] = [
            ("ES384 with SHA-256", .es384, claim.sha256), ("ES384 with SHA-512", .es384, claim.sha512),
            ("ES512 with SHA-256", .es512, claim.sha256), ("ES512 with SHA-384", .es512, claim.sha384),
            ("EdDSA with SHA-256", .eddsa, claim.sha256), ("EdDSA with SHA-384", .eddsa, claim.sha384),
        ]
        return hashes.map { description, algorithm, hash in
            TokenChange(claim.check, "\(claim.name): \(description)") {
                $0.bind(claim)
                $0.sign(with: algorithm)
                $0.claims[claim.name] = .string(hash)
            }
        }
    }

    /// Modules missing-chash and missing-athash.
    private static let missingHashes: [TokenChange] = [
        TokenChange("access token hash", "required, and absent") {
            $0.bind(.accessToken)
            $0.expectation.requiresAccessTokenHash = true
            $0.claims["at_hash"] = nil
        },
        TokenChange("access token hash", "required, and null") {
            $0.bind(.accessToken)
            $0.expectation.requiresAccessTokenHash = true
            $0.claims["at_hash"] = .null
        },
        TokenChange("code hash", "required, and absent") {
            $0.expectation.requiresCodeHash = true
            $0.claims["c_hash"] = nil
        },
        TokenChange("code hash", "required, and null") {
            $0.expectation.requiresCodeHash = true
            $0.claims["c_hash"] = .null
        },
    ]

    private static let nothingToHash: [TokenChange] = [
        TokenChange("access token hash", "no access token beside it") {
            $0.bind(.accessToken)
            $0.expectation.accessToken = nil
        },
        TokenChange("code hash", "no code beside it") {
            $0.bind(.code)
            $0.expectation.code = nil
        },
    ]
}
