// SPDX-License-Identifier: Apache-2.0

/// The keys of a set whose private half is published too, however their public half is written.
struct PublishedKeys {
    private var material: Set<[UInt8]> = []
    /// The `kid` of those whose public half cannot be read.
    private var keyIDs: Set<WireText> = []

    /// Whether there are none.
    var isEmpty: Bool { material.isEmpty && keyIDs.isEmpty }

    /// Remembers an entry with private members. A symmetric key has no public half that could be used.
    mutating func insert(_ jwk: JSONObject) {
        guard jwk["kty"]?.text != "oct" else { return }
        if let bytes = Self.material(of: jwk) {
            material.insert(bytes)
        } else if let keyID = jwk["kid"]?.text {
            keyIDs.insert(keyID)
        }
    }

    /// Whether an entry is one of the keys.
    func contains(_ jwk: JSONObject) -> Bool {
        if let bytes = Self.material(of: jwk), material.contains(bytes) { return true }
        return jwk["kid"]?.text.map { keyIDs.contains($0) } ?? false
    }

    /// What tells a key from another: the modulus, or the curve's `x` coordinate. Of the two points that share one the
    /// private keys follow from each other.
    private static func material(of jwk: JSONObject) -> [UInt8]? {
        switch jwk["kty"]?.text {
        case "RSA": (try? PublicKeyMaterial.unsignedInteger(jwk["n"])).map { Array("RSA ".utf8) + $0 }
        case "EC", "OKP":
            jwk["x"]?.text.flatMap { Base64URL.decode($0) }.map { Array("x ".utf8) + $0.drop { $0 == 0 } }
        default: nil
        }
    }
}
