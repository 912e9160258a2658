// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// The only client of the provider.
enum ProviderClient {
    static let id = "bench"
    static let secret = "bench-secret-0123456789abcdef"

    /// Form encoding would change neither the ID nor the secret.
    private static let credentials = Data("\(id):\(secret)".utf8)
    /// The spelling of nearly all clients.
    private static let usual = "Basic " + credentials.base64EncodedString()

    /// Whether a token request is authenticated, by HTTP Basic or in the form (RFC 6749 section 2.3.1).
    static func isAuthenticated(authorization: String?, form: URLParameters) -> Bool {
        guard let authorization else { return form["client_id"] == id && form["client_secret"] == secret }
        if authorization == usual { return true }
        guard authorization.count > 6, authorization.prefix(6).lowercased() == "basic ",
            let pair = Data(base64Encoded: String(authorization.dropFirst(6)))
        else { return false }
        return pair == credentials
    }
}
