// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The unverified claims of the ID token in a token response.
package struct UnverifiedIDTokenPayload: Sendable {
    private let claims: JSONObject

    /// Reads the body of a token response; `nil` if it contains no ID token.
    package init?(tokenResponse body: [UInt8]) {
        guard let token = Self.object(body)?["id_token"]?.text?.makeString() else { return nil }
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64URL.decode(segments[1].utf8),
            let claims = Self.object(payload)
        else { return nil }
        self.claims = claims
    }

    /// Returns a claim that is a string; `nil` if it is absent or something else.
    package func text(_ name: String) -> String? { claims[name]?.text?.makeString() }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 1 << 20))
    }
}
