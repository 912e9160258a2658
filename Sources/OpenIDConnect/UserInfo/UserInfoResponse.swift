// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A UserInfo response (OpenID Connect Core 1.0 section 5.3.2), read strictly and not yet believed: `sub` is still to be
/// compared with the ID token's, and a signed one is still to be verified.
package struct UserInfoResponse: Sendable {
    /// What the response is, by its media type.
    package enum Form: Sendable {
        /// `application/json`: the claims.
        case plain(JSONObject)
        /// `application/jwt`: a signed token with the claims in it.
        case signed(JSONWebSignature)
    }

    package let form: Form

    /// The largest answer, bytes.
    package static let maximumBytes = 262_144

    /// Reads the body of a response with status 200.
    /// - Parameter contentType: the Content-Type field as it was sent; parameters like `charset` are passed over, since
    ///   the bytes themselves must be UTF-8.
    /// - Throws: ``UserInfoResponseError``.
    package init(contentType: String?, body: [UInt8]) throws(UserInfoResponseError) {
        switch MediaType.essence(of: contentType) {
        case "application/json":
            do {
                form = .plain(try JSONParser.object(body, limits: JSONLimits(maximumBytes: Self.maximumBytes)))
            } catch {
                throw .unreadable(error.description)
            }
        case "application/jwt":
            guard body.count <= JSONWebSignature.longestToken else { throw .unreadable("longer than 64 KB") }
            guard let compact = String(validating: body, as: UTF8.self) else { throw .unreadable("not a text") }
            do {
                form = .signed(try JSONWebSignature(compact: compact))
            } catch {
                throw .unreadable(error.description)
            }
        default:
            throw .mediaType
        }
    }
}
