// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An identity of an account in a response.
struct ProviderUserInfoResponse: Decodable, Sendable {
    let providerId: String
    let rawId: String?
    let federatedId: String?
    let email: String?
    let displayName: String?
    let photoUrl: String?

    var info: ProviderUserInfo {
        ProviderUserInfo(
            providerID: providerId, uid: rawId ?? federatedId ?? "", displayName: displayName, email: email,
            photoURL: photoUrl.flatMap { URL(string: $0) })
    }
}

/// An account in a response.
struct AccountResponse: Decodable, Sendable {
    let localId: String
    let email: String?
    let emailVerified: Bool?
    let displayName: String?
    let photoUrl: String?
    let providerUserInfo: [ProviderUserInfoResponse]?
    /// Milliseconds since 1970, as a text.
    let createdAt: String?
    /// Milliseconds since 1970, as a text.
    let lastLoginAt: String?

    /// Reads the account.
    /// - Parameters:
    ///   - uid: The account that it must be.
    ///   - known: What was known of the account; `nil` if the response says when it was made and entered.
    /// - Throws: ``AccountsError`` if it is another one.
    func user(uid: String, known: User? = nil) throws -> User {
        guard localId.utf8.elementsEqual(uid.utf8) else { throw AccountsError(.unexpectedResponse) }
        return User(
            uid: uid, displayName: displayName, email: email, isEmailVerified: emailVerified ?? false,
            photoURL: photoUrl.flatMap { URL(string: $0) }, providerData: (providerUserInfo ?? []).map(\.info),
            creationDate: known.map(\.creationDate) ?? Self.date(createdAt),
            lastSignInDate: known.map(\.lastSignInDate) ?? Self.date(lastLoginAt))
    }

    private static func date(_ milliseconds: String?) -> Date? {
        milliseconds.flatMap { Int64($0) }.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}

/// The response with the account of a session.
struct LookupResponse: Decodable, Sendable {
    let users: [AccountResponse]?

    /// Reads the account.
    /// - Parameter uid: The account that it must be.
    /// - Throws: ``AccountsError`` if it is another one, or there is not exactly one.
    func user(uid: String) throws -> User {
        guard let users, users.count == 1, let account = users.first else { throw AccountsError(.unexpectedResponse) }
        return try account.user(uid: uid)
    }
}
