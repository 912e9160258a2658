// SPDX-License-Identifier: Apache-2.0

/// The reason why a UserInfo response was refused. It contains no claims.
package struct UserInfoResponseError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case mediaType
        case unreadable(String)
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The media type is absent, or neither `application/json` nor `application/jwt`.
    package static let mediaType = UserInfoResponseError(.mediaType)
    /// The body is not of the media type.
    package static func unreadable(_ reason: String) -> Self { .init(.unreadable(reason)) }

    package var description: String {
        switch code {
        case .mediaType: "the UserInfo response is neither application/json nor application/jwt"
        case .unreadable(let reason): "the UserInfo response cannot be read: \(reason)"
        }
    }
}
