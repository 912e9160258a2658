// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The content of the provider's key set: its own key, and those that a test adds.
struct PublishedKeys: Sendable {
    let keys: ProviderKeys
    let misbehavior: Misbehavior
    let hasDecoys: Bool

    /// The entries of `keys` (RFC 7517 section 5.1).
    func entries() throws -> [JSONValue] {
        let current = keys.current.publicJWK
        switch misbehavior {
        case .keyIDAbsentSingleKey: return [.object(current.without("kid"))]
        case .keyIDAbsentManyKeys: return try manyKeys()
        case .oddKeys: return try oddKeys() + [.object(current)]
        case .tooManyKeys: return Array(repeating: .object(current), count: 101)
        case .oversizedKeySet:
            return [.object(current), ["kty": "none", "padding": .string(String(repeating: "x", count: 512 * 1024))]]
        case .alternateAlgorithm:
            // The key has no `alg`, so that nothing in the key set contradicts the token's.
            let alternate = try keys.alternate().publicJWK.without("alg")
            return alternate["kid"] == current["kid"] ? [.object(alternate)] : [.object(current), .object(alternate)]
        default:
            return try (hasDecoys ? decoys() : []) + [.object(current)]
        }
    }

    /// Keys of other kinds with the same `kid`.
    private func decoys() throws -> [JSONValue] {
        let kinds: [JSONWebAlgorithm] = [.es256, .eddsa, .ps256]
        return try kinds.filter { !$0.isSame(as: keys.current.algorithm) }.map { kind in
            var key = try (kind == .ps256 ? SharedRSAKeys.key(2, kind) : SigningKey.generate(kind)).publicJWK
            key["kid"] = .string(keys.current.keyID)
            return .object(key)
        }
    }

    /// The keys of the suite: three of each kind without a `kid`. The right one is neither the first nor the last of
    /// its kind.
    private func manyKeys() throws -> [JSONValue] {
        let current = keys.current
        var all: [JSONObject] = []
        for (number, curve) in Self.secp256k1.enumerated() {
            let isRight = number == 1
            // The shared keys are in the order 1, 0, 2: if keys are shared, number 0 is the provider's first.
            let other = isRight ? 0 : max(1, number)
            let rsa = try isRight && current.algorithm.isRSA ? current : SharedRSAKeys.key(other, .rs256)
            let ec = try isRight && current.algorithm == .es256 ? current : SigningKey.generate(.es256)
            let okp = try isRight && current.algorithm.isSame(as: .eddsa) ? current : SigningKey.generate(.eddsa)
            all += [rsa.publicJWK, ec.publicJWK, curve, okp.publicJWK]
        }
        return all.map { .object($0.without("kid").without("alg")) }
    }

    /// Entries that no client can use, each for a different reason, and one whose private half is published.
    private func oddKeys() throws -> [JSONValue] {
        let name = JSONValue.string(keys.current.keyID)
        var published = try SigningKey.generate(.es256).publicJWK
        published["d"] = .string(Base64URL.encode(SecureRandom.bytes(32)))
        let middle = SecureRandom.bytes(254)
        func rsa(_ bytes: [UInt8], exponent: JSONValue = "AQAB") -> JSONValue {
            ["kty": "RSA", "kid": name, "n": .string(Base64URL.encode(bytes)), "e": exponent]
        }
        return [
            ["kty": "oct", "kid": name, "alg": "HS256", "k": .string(Base64URL.encode(SecureRandom.bytes(32)))],
            .object(published),
            ["kty": "AKP", "kid": name, "alg": "ML-DSA-44", "pub": "AAAA"],
            .object(Self.secp256k1[0]),
            rsa([0xC1] + SecureRandom.bytes(126) + [1]),
            rsa([0xC1] + middle + [1], exponent: "AQ"),
            rsa([0xC1] + middle + [2]),
            ["kty": "EC", "crv": "P-256", "kid": name, "x": "not base64url!", "y": "AA=="],
            7,
        ]
    }

    /// 1, 2 and 3 times the generator of the curve. The points are valid, so only the curve is unsupported.
    private static let secp256k1: [JSONObject] = [
        ("eb5mfvncu6xVoGKVzocLBwKb_NstzijZWfKBWxb4F5g", "SDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj_sQ1Lg"),
        ("xgR_lEHtfW0wRUBulcB82Fx3jkuM7zynq6wJuVxwnuU", "GuFo_qY9wzmjxYQZRmzq7vf2MmUyZtDhI2QxqVDP5So"),
        ("-TCKAZJYwxBJNE-F-J1SKbUxyEWDb5mwhgHxE7zgNvk", "OI97D2Mt6BQP4zfmKjfzVmUAqZk0wiMbbLn9dYS45nI"),
    ].map { x, y in ["kty": "EC", "crv": "secp256k1", "use": "sig", "x": .string(x), "y": .string(y)] }
}

extension JSONObject {
    /// Returns the object without one member.
    func without(_ name: String) -> JSONObject {
        var object = self
        object[name] = nil
        return object
    }
}

extension JSONWebAlgorithm {
    /// Whether the algorithm uses RSA keys.
    var isRSA: Bool {
        [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512].contains(self)
    }
}
