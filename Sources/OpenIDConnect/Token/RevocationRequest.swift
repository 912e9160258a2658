// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The request that revokes a token (RFC 7009).
package enum RevocationRequest {
    /// The largest answer that is read, bytes; a success has no content that matters.
    package static let maximumBytes = 65_536

    /// The form, without the client's proof (RFC 7009 section 2.1).
    /// - Parameters:
    ///   - token: the token to revoke.
    ///   - hint: `token_type_hint`: `access_token` or `refresh_token`; nil to let the provider find out.
    package static func form(token: String, hint: String? = nil) -> [(String, String)] {
        var pairs = [("token", token)]
        if let hint { pairs.append(("token_type_hint", hint)) }
        return pairs
    }

    /// The OAuth error in a response whose status is not a success (RFC 7009 section 2.2.1); `nil` if it is none.
    package static func refusal(json: [UInt8]) -> ProviderError? {
        guard let object = try? JSONParser.object(json, limits: JSONLimits(maximumBytes: maximumBytes)) else {
            return nil
        }
        return ProviderError(response: object)
    }
}
