// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What a transaction did to an account.
package struct AccountDifference: Sendable, Hashable {
    /// The account before; `nil` if there was none.
    package var before: Account?
    /// The account afterwards; `nil` if there is none.
    package var after: Account?
    /// The identities that it got.
    package var added: [AccountIdentity] = []
    /// The identities that it lost.
    package var removed: [AccountIdentity] = []
    /// The provider whose identity was written last.
    package var usedProvider: String?
    /// Whether sessions ended other than those that began with a provider.
    package var endsSessions = false
    /// The providers with which the sessions began that ended.
    package var endedProviders: [String] = []

    /// What happened, in this order, with the ID of the provider that it is about.
    package var events: [(kind: AccountEvent.Kind, provider: String?)] {
        guard let after else { return before == nil ? [] : [(.deleted, nil)] }
        guard let before else {
            let provider = added.first?.verified.providerID
            // A new account of an operator has a record of its origin and no sign-in.
            return [(.created, provider)] + (provider == nil || after.imported != nil ? [] : [(.firstSignIn, provider)])
        }
        let linked = Self.providers(of: added, without: removed)
        let unlinked = Self.providers(of: removed, without: added)
        var events: [(kind: AccountEvent.Kind, provider: String?)] =
            linked.map { (.linked, $0) } + unlinked.map { (.unlinked, $0) }
        let isEntered = before.imported.map { $0[.entered] == nil } ?? false && after.imported?[.entered] != nil
        if after.lastSignInAt != before.lastSignInAt, !linked.isEmpty || isEntered {
            events.append((.firstSignIn, linked.first ?? usedProvider))
        }
        if !before.showsSame(as: after) { events.append((.updated, nil)) }
        if before.isDisabled != after.isDisabled { events.append((after.isDisabled ? .disabled : .enabled, nil)) }
        let others = endedProviders.filter { provider in !unlinked.contains { $0.hasSameBytes(as: provider) } }
        if endsSessions || !others.isEmpty { events.append((.sessionsEnded, nil)) }
        return events
    }

    /// The providers of identities that have no other identity: such an identity was replaced.
    private static func providers(of identities: [AccountIdentity], without others: [AccountIdentity]) -> [String] {
        identities.map(\.verified.providerID).filter { provider in
            !others.contains { $0.verified.providerID.hasSameBytes(as: provider) }
        }
    }
}

extension Account {
    /// Whether both show the same to others.
    fileprivate func showsSame(as other: Account) -> Bool {
        email == other.email && isEmailVerified == other.isEmailVerified && customClaims == other.customClaims
            && Self.same(displayName, other.displayName) && Self.same(photoURL, other.photoURL)
    }

    private static func same(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left.hasSameBytes(as: right)
        case (nil, nil): true
        default: false
        }
    }
}
