// SPDX-License-Identifier: Apache-2.0

/// The keys of a set whose private half is published, however their public half is spelled.
struct PublishedKeys {
    private var material: Set<[UInt8]> = []
    /// The `kid`s of the keys whose public half cannot be read.
    private var keyIDs: Set<WireText> = []

    /// Whether no key's private half is published.
    var isEmpty: Bool { material.isEmpty && keyIDs.isEmpty }

    /// Adds an entry with private members. A symmetric key has no public half.
    mutating func insert(_ jwk: JSONObject) {
        guard jwk["kty"]?.text != "oct" else { return }
        if let bytes = Self.material(of: jwk) {
            material.insert(bytes)
        } else if let keyID = jwk["kid"]?.text {
            keyIDs.insert(keyID)
        }
    }

    /// Whether an entry is one of these keys.
    func contains(_ jwk: JSONObject) -> Bool {
        if let bytes = Self.material(of: jwk), material.contains(bytes) { return true }
        return jwk["kid"]?.text.map { keyIDs.contains($0) } ?? false
    }

    /// The bytes that identify a key: the modulus, or the `x` coordinate on the curve. For the two points that share an
    /// `x`, each private key follows from the other.
    private static func material(of jwk: JSONObject) -> [UInt8]? {
        switch jwk["kty"]?.text {
        case "RSA": (try? PublicKeyMaterial.unsignedInteger(jwk["n"])).map { Array("RSA ".utf8) + $0 }
        case "EC", "OKP":
            jwk["x"]?.text.flatMap { Base64URL.decode($0) }.map { Array("x ".utf8) + $0.drop { $0 == 0 } }
        default: nil
        }
    }
}
