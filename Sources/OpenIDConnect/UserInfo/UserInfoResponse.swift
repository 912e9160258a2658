// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A UserInfo response (OpenID Connect Core 1.0 section 5.3.2), parsed strictly and not verified yet: its `sub` must
/// still be compared with the ID token's, and a signature must still be verified.
package struct UserInfoResponse: Sendable {
    /// The form of the response, by its media type.
    package enum Form: Sendable {
        /// `application/json`: the claims.
        case plain(JSONObject)
        /// `application/jwt`: a signed token that contains the claims.
        case signed(JSONWebSignature)
        /// `application/jwt`: an encrypted token, in which there must be a signed one.
        case encrypted(String)
    }

    package let form: Form

    /// The maximum size of a response, in bytes.
    package static let maximumBytes = 262_144

    /// Parses the body of a response with status 200.
    /// - Parameter contentType: The Content-Type field as received. Its parameters, such as `charset`, are ignored,
    ///   since the bytes must be UTF-8.
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
            guard !JSONWebSignature.isFiveSegments(compact) else {
                form = .encrypted(compact)
                return
            }
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

/// The reason why a UserInfo response was refused. It contains no claims.
package struct UserInfoResponseError: Error, Hashable, CustomStringConvertible {
    package let description: String

    /// The media type is absent, or neither `application/json` nor `application/jwt`.
    package static let mediaType = UserInfoResponseError(
        description: "the UserInfo response is neither application/json nor application/jwt")
    /// The body is not of the media type.
    package static func unreadable(_ reason: String) -> Self {
        .init(description: "the UserInfo response cannot be read: \(reason)")
    }
}
