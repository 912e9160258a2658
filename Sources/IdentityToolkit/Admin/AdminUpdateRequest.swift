// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// A request of an operator to change an account.
struct AdminUpdateRequest: Sendable {
    /// The account.
    let account: AccountID
    /// The change.
    let change: AccountChange

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        try body.refuseUnverifiable([.email, .password, .phoneNumber])
        try body.refuse([.emailVerified, .linkProviderUserInfo, .createdAt, .lastLoginAt])
        try Self.refuseSecondFactors(body)
        account = try body.account()
        let profile = try ProfileChanges(body)
        var change = AccountChange()
        change.displayName = profile.displayName
        change.photoURL = profile.photoURL
        change.deletedProviders = profile.deletedProviders
        change.isDisabled = try body.flag(.disableUser)
        change.validSince = try Self.validSince(body)
        change.customClaims = try Self.customClaims(body)
        self.change = change
    }

    /// Refuses second factors. There are none, so that removing all of them succeeds.
    private static func refuseSecondFactors(_ body: ToolkitBody) throws(ToolkitError) {
        guard let value = try body.value(.mfa) else { return }
        guard let factors = value.objectValue, try ToolkitBody(factors).objects(.enrollments).isEmpty else {
            throw ToolkitError(.operationNotAllowed, "mfa cannot be changed here: there are no second factors.")
        }
    }

    private static func validSince(_ body: ToolkitBody) throws(ToolkitError) -> Int64? {
        guard let text = try body.text(.validSince) else { return nil }
        // 15 digits are more than any year that a clock knows, and fit.
        guard let digits = text.ascii(atMost: 15), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let time = Int64(digits)
        else { throw ToolkitError(.invalidArgument, "validSince is a number of seconds since 1970.") }
        return time
    }

    private static func customClaims(
        _ body: ToolkitBody
    ) throws(ToolkitError) -> AccountChange.Claims {
        guard let text = try body.clearableText(.customAttributes) else { return .keep }
        guard !text.isEmpty else { return .clear }
        let json = text.makeString()
        guard CustomClaims.isShort(json) else {
            throw ToolkitError(
                .claimsTooLarge, "customAttributes has at most \(AccountLimits.customClaimsCharacters) characters.")
        }
        if let name = CustomClaims(imported: json)?.reservedName { throw ToolkitError(.forbiddenClaim, name) }
        guard let claims = CustomClaims(json: json) else {
            throw ToolkitError(.invalidClaims, "customAttributes is the text of a JSON object with each name once.")
        }
        return claims.isEmpty ? .clear : .set(claims)
    }
}

extension ToolkitBody {
    /// The account that an operator names.
    func account() throws(ToolkitError) -> AccountID {
        guard let text = try self.text(.localId) else { throw ToolkitError(.missingLocalID) }
        guard let id = AccountID(text) else {
            // It is the identifier of none.
            throw ToolkitError(.userNotFound)
        }
        return id
    }
}
