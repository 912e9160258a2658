// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// The one client that the provider knows.
enum ProviderClient {
    static let id = "bench"
    static let secret = "bench-secret-0123456789abcdef"

    /// Neither holds anything that form encoding would change.
    private static let credentials = Data("\(id):\(secret)".utf8)
    /// As nearly all clients write it.
    private static let usual = "Basic " + credentials.base64EncodedString()

    /// Whether a token request comes from the client: by HTTP Basic or in the form (RFC 6749 section 2.3.1).
    static func isAuthenticated(authorization: String?, form: URLParameters) -> Bool {
        guard let authorization else { return form["client_id"] == id && form["client_secret"] == secret }
        if authorization == usual { return true }
        guard authorization.count > 6, authorization.prefix(6).lowercased() == "basic ",
            let pair = Data(base64Encoded: String(authorization.dropFirst(6)))
        else { return false }
        return pair == credentials
    }
}
