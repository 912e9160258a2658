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

/// The response with the account of a session.
struct LookupResponse: Decodable, Sendable {
    struct Account: Decodable, Sendable {
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
    }

    let users: [Account]?

    /// Reads the account.
    /// - Parameter uid: The account that it must be.
    /// - Throws: ``AccountsError`` if it is another one, or there is not exactly one.
    func user(uid: String) throws -> User {
        guard let users, users.count == 1, let account = users.first,
            account.localId.utf8.elementsEqual(uid.utf8)
        else { throw AccountsError(.unexpectedResponse) }
        return User(
            uid: uid, displayName: account.displayName, email: account.email,
            isEmailVerified: account.emailVerified ?? false, photoURL: account.photoUrl.flatMap { URL(string: $0) },
            providerData: (account.providerUserInfo ?? []).map(\.info), creationDate: Self.date(account.createdAt),
            lastSignInDate: Self.date(account.lastLoginAt))
    }

    private static func date(_ milliseconds: String?) -> Date? {
        milliseconds.flatMap { Int64($0) }.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}

/// The response to a change of an account: what it is now.
struct UpdateResponse: Decodable, Sendable {
    let localId: String
    let email: String?
    let emailVerified: Bool?
    let displayName: String?
    let photoUrl: String?
    let providerUserInfo: [ProviderUserInfoResponse]?

    /// Applies the change to what was known of the account.
    /// - Throws: ``AccountsError`` if it is another account.
    func applied(to user: User) throws -> User {
        guard localId.utf8.elementsEqual(user.uid.utf8) else { throw AccountsError(.unexpectedResponse) }
        return User(
            uid: user.uid, displayName: displayName, email: email, isEmailVerified: emailVerified ?? false,
            photoURL: photoUrl.flatMap { URL(string: $0) }, providerData: (providerUserInfo ?? []).map(\.info),
            creationDate: user.creationDate, lastSignInDate: user.lastSignInDate)
    }
}
