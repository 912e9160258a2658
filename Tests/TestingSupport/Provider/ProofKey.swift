// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// PKCE as RFC 7636 has it, computed by Foundation and swift-crypto.
package enum ProofKey {
    package static func challenge(of verifier: String) -> String {
        base64url(Array(SHA256.hash(data: Data(verifier.utf8))))
    }

    package static func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
