// SPDX-License-Identifier: Apache-2.0

/// What a response of the wire of accounts said, as far as it is needed.
package struct AccountReply: Sendable, Hashable {
    /// The account; empty where the request was to be refused.
    package let uid: String
    /// The ID token of the account; `nil` if there is none.
    package let idToken: String?
    /// The refresh token; `nil` if there is none.
    package let refreshToken: String?

    /// Creates a reply.
    package init(uid: String, idToken: String? = nil, refreshToken: String? = nil) {
        self.uid = uid
        self.idToken = idToken
        self.refreshToken = refreshToken
    }
}

/// The reason why an operation on accounts does not count, in words that contain nothing of the request.
package struct AccountFault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Creates a reason.
    package init(_ description: String) {
        self.description = description
    }

    /// A wrong credential was accepted.
    package static let accepted = AccountFault("a wrong credential was accepted")
}
