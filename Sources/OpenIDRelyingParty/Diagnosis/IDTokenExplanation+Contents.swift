// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension IDTokenExplanation {
    /// Reads header and claims of a token without any check but that they are JSON objects.
    mutating func read(_ compact: String) {
        guard compact.utf8.count <= JSONWebSignature.longestToken else { return }
        let segments = compact.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard let first = segments.first else { return }
        header = Self.object(first)
        // The second of five segments is an encrypted key.
        claims = (2...4).contains(segments.count) ? Self.object(segments[1]) : nil
    }

    private static func object(_ segment: Substring.UTF8View) -> JSONObject? {
        guard let bytes = Base64URL.decode(segment) else { return nil }
        return try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
    }

    /// Adds a check. Texts of the token are made printable ASCII.
    mutating func add(_ name: String, _ verdict: Verdict, wanted: String, found: String, unknown: SignInValue? = nil) {
        let finding = IDTokenFinding(check: name, wanted: wanted, found: found)
        checks.append(
            Check(name: name, verdict: verdict, wanted: finding.wanted, found: finding.found, unknown: unknown))
    }

    /// Claims as checks get them, with any signature.
    ///
    /// ``VerifiedPayload`` is made by a verification alone, which stays so: the claims are signed anew with a key that
    /// only this call has, and are verified with it.
    static func payload(_ claims: JSONObject, type: WireText?) -> VerifiedPayload? {
        guard let key = try? SigningKey.generate(.es256),
            let keys = try? KeySet(json: (["keys": .array([.object(key.publicJWK)])] as JSONObject).serialized())
        else { return nil }
        var header: JSONObject = ["alg": .string(key.algorithm.rawValue)]
        if let type { header["typ"] = .text(type) }
        guard let token = try? key.sign(header: header, payload: claims.serialized()),
            let signature = try? JSONWebSignature(compact: token)
        else { return nil }
        return try? signature.verified(by: keys, algorithms: [key.algorithm])
    }
}
