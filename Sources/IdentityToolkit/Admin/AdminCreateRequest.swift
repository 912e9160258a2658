// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OIDCBrokerHTTP

/// A request of an operator to create an account. It has no way to sign in until an identity is moved to it, or its
/// owner signs in by the email.
struct AdminCreateRequest: Sendable {
    /// The account, as a user who is imported.
    let user: ImportedUser

    /// - Parameters:
    ///   - body: The body.
    ///   - now: The current time, in seconds since 1970.
    init(_ body: ToolkitBody, now: Int64) throws(ToolkitError) {
        try body.refuseTenant()
        try body.refuseUnverifiable([.password, .phoneNumber])
        guard try body.objects(.mfaInfo).isEmpty else {
            throw ToolkitError(.operationNotAllowed, "mfaInfo cannot be set here: there are no second factors.")
        }
        var id = AccountID()
        if let text = try body.text(.localId) {
            guard let given = AccountID(text) else {
                throw ToolkitError(.invalidArgument, "localId is a text of 1 to 128 characters without NUL.")
            }
            id = given
        }
        var account = Account(id: id, createdAt: now, validSince: 0)
        var record = JSONObject()
        if let text = try body.text(.email) {
            guard text.utf8.count <= EmailAddress.maximumLength, let email = EmailAddress(text.makeString()) else {
                throw ToolkitError(.invalidArgument, "email is no address.")
            }
            account.email = email
            account.isEmailVerified = try body.flag(.emailVerified) ?? false
            record[ImportedRecord.Member.email.rawValue] = .string(email.text)
            if account.isEmailVerified { record[ImportedRecord.Member.emailVerified.rawValue] = true }
        }
        let profile = try ProfileChanges(body)
        account.displayName = profile.displayName.applied(to: nil)
        account.photoURL = profile.photoURL.applied(to: nil)
        guard account.displayName.map(Account.isDisplayName) ?? true, account.photoURL.map(Account.isPhotoURL) ?? true
        else { throw ToolkitError(.invalidValue, in: .update) }
        // The SDKs say one when they make an account, and the other when they change it.
        let (disabled, disableUser) = (try body.flag(.disabled), try body.flag(.disableUser))
        account.isDisabled = disabled ?? disableUser ?? false
        account.imported = ImportedRecord(record)
        user = ImportedUser(account, identities: [])
    }

    /// The response to what became of it.
    func response(_ outcome: ImportOutcome) throws(ToolkitError) -> BrokerResponse {
        switch outcome {
        case .added: BrokerResponse(["localId": .string(user.account.id.text)])
        case .conflict(.address, _): throw ToolkitError(.emailExists)
        default: throw ToolkitError(.duplicateLocalID)
        }
    }
}
