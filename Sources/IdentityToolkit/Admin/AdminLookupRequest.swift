// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// A request for accounts by what they are known by.
struct AdminLookupRequest: Sendable {
    /// The maximum number of keys, of all kinds together.
    static let maximumKeys = 100

    /// What the accounts are looked for by. What no account can have is left out, since it is not found.
    let keys: [AccountSearchKey]

    /// Reads a request.
    /// - Parameters:
    ///   - body: The body.
    ///   - issuers: Returns the issuers of a provider by the ID that clients know, without any if there is none.
    init(_ body: ToolkitBody, issuers: (String) -> [String]) throws(ToolkitError) {
        try body.refuseTenant()
        let ids = try body.texts(.localId)
        let emails = try body.texts(.email)
        // Accounts have no phone numbers here.
        let phones = try body.texts(.phoneNumber)
        let identities = try body.objects(.federatedUserId)
        let count = ids.count + emails.count + phones.count + identities.count
        guard (1...Self.maximumKeys).contains(count) else {
            throw ToolkitError(
                .invalidArgument, "Send 1 to \(Self.maximumKeys) of localId, email and federatedUserId together.")
        }
        var keys = ids.compactMap { id -> AccountSearchKey? in
            AccountID(id).map { .id($0) }
        }
        keys += emails.compactMap { email -> AccountSearchKey? in
            guard email.utf8.count <= EmailAddress.maximumLength else { return nil }
            return EmailAddress(email.makeString()).map { .email($0) }
        }
        for identity in identities { keys += try Self.keys(of: identity, issuers: issuers) }
        self.keys = keys
    }

    private static func keys(
        of identity: ToolkitBody, issuers: (String) -> [String]
    ) throws(ToolkitError) -> [AccountSearchKey] {
        guard let provider = try identity.text(.providerId), let subject = try identity.text(.rawId) else {
            throw ToolkitError(.invalidArgument, "federatedUserId has providerId and rawId.")
        }
        guard let id = provider.visibleASCII(atMost: SignInWithIdpRequest.longestProviderID),
            let subject = subject.printableASCII(atMost: longestSubject)
        else { return [] }
        return issuers(id).map { .identity(IdentityKey(issuer: $0, subject: subject)) }
    }

    /// The maximum length of a subject, in bytes (OpenID Connect Core 1.0 section 2).
    private static let longestSubject = 255
}
