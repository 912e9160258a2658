// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An error of a client, with a stable code. It contains no token that a description would show.
public struct AccountsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public let code: Code
    /// What to do, for the developer and in English; `nil` if the code says it all. It is not for users, except the reason
    /// of ``Code/newAccountRefused``.
    public let message: String?
    /// The credential to sign in or to link with next: for ``Code/credentialAlreadyInUse``, ``Code/emailAlreadyInUse``
    /// and ``Code/accountExistsWithDifferentCredential``; otherwise `nil`. The one that was presented does not work
    /// again, since its nonce was used; this one does, once and for half an hour.
    public let updatedCredential: Credential?
    /// The IDs of the providers with which the user has signed in so far, for
    /// ``Code/accountExistsWithDifferentCredential``; otherwise empty.
    public let verifiedProviderIDs: [String]
    /// The email at the provider, where there is an ``updatedCredential``; otherwise `nil`.
    public let email: String?

    init(
        _ code: Code, message: String? = nil, updatedCredential: Credential? = nil,
        verifiedProviderIDs: [String] = [], email: String? = nil
    ) {
        self.code = code
        self.message = message
        self.updatedCredential = updatedCredential
        self.verifiedProviderIDs = verifiedProviderIDs
        self.email = email
    }

    public var description: String { message.map { "\(code): \($0)" } ?? "\(code)" }

    /// Whether the session of a request that was refused so has ended. No other error says so.
    var endsSession: Bool { code == .sessionExpired || code == .userNotFound || code == .userDisabled }
}

extension AccountsError: LocalizedError {
    public var errorDescription: String? { description }
}
