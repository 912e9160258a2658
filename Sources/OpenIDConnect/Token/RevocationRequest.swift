// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A request that revokes a token (RFC 7009).
package enum RevocationRequest {
    /// The maximum size of the response, in bytes. The content of a successful response is not used.
    package static let maximumBytes = 65_536

    /// The parameters of the form, without client authentication (RFC 7009 section 2.1).
    /// - Parameters:
    ///   - token: The token to revoke.
    ///   - hint: The `token_type_hint`: `access_token` or `refresh_token`; `nil` to omit it.
    package static func form(token: String, hint: String? = nil) -> [(String, String)] {
        var pairs = [("token", token)]
        if let hint { pairs.append(("token_type_hint", hint)) }
        return pairs
    }

    /// The OAuth error in an unsuccessful response (RFC 7009 section 2.2.1); `nil` if it is not one.
    package static func refusal(json: [UInt8]) -> ProviderError? {
        guard let object = try? JSONParser.object(json, limits: JSONLimits(maximumBytes: maximumBytes)) else {
            return nil
        }
        return ProviderError(response: object)
    }
}
