// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// The one client that the provider knows.
enum ProviderClient {
    static let id = "bench"
    static let secret = "bench-secret-0123456789abcdef"

    /// Whether a token request comes from the client: by HTTP Basic or in the form (RFC 6749 section 2.3.1).
    static func isAuthenticated(authorization: String?, form: [String: String]) -> Bool {
        guard let authorization else { return form["client_id"] == id && form["client_secret"] == secret }
        guard authorization.count > 6, authorization.prefix(6).lowercased() == "basic ",
            let pair = Data(base64Encoded: String(authorization.dropFirst(6)))
        else { return false }
        // Neither holds anything that form encoding would change.
        return String(decoding: pair, as: UTF8.self) == "\(id):\(secret)"
    }
}
