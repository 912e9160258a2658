// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// A request to change the name and the photo of an account, and to remove identities.
struct UpdateRequest: Sendable {
    /// The ID token of the session.
    let idToken: String
    private let changes: ProfileChanges

    /// The change of the name.
    var displayName: AttributeChange { changes.displayName }
    /// The change of the photo.
    var photoURL: AttributeChange { changes.photoURL }
    /// The IDs of the providers whose identities are removed; see ``ProfileChanges/deletedProviders``.
    var deletedProviders: [String] { changes.deletedProviders }

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        // Before the token is asked for: a code from an email comes without one.
        try body.refuseUnverifiable([.email, .password, .oobCode, .phoneNumber])
        for member in [ToolkitMember.customAttributes, .validSince] {
            guard try body.value(member) == nil else {
                throw ToolkitError(.insufficientPermission, "Only an operator can change \(member.camelCase).")
            }
        }
        try body.refuse([.disableUser, .emailVerified, .linkProviderUserInfo, .mfa, .createdAt, .lastLoginAt])
        idToken = try body.requiredSessionToken()
        changes = try ProfileChanges(body)
    }
}

extension ToolkitBody {
    /// Refuses members that nothing can change here.
    func refuse(_ members: [ToolkitMember]) throws(ToolkitError) {
        for member in members {
            guard try value(member) == nil else {
                throw ToolkitError(.operationNotAllowed, "\(member.camelCase) cannot be changed here.")
            }
        }
    }

    /// Refuses members that only a provider may change.
    func refuseUnverifiable(_ members: [ToolkitMember]) throws(ToolkitError) {
        for member in members {
            guard try text(member) == nil else {
                throw ToolkitError(
                    .operationNotAllowed, "\(member.camelCase) cannot be changed: providers verify people here.")
            }
        }
    }
}
