// SPDX-License-Identifier: Apache-2.0

package import SingleUse

/// What the broker uses once, and whose it is.
extension SingleUseKey.Purpose {
    /// The claim of a login that returned.
    package static let login = Self("oidc-broker login v1")
    /// The claim of a login that the user canceled before the app got it.
    package static let canceledLogin = Self("oidc-broker canceled login v1")
    /// A hand-off record.
    package static let handOff = Self("oidc-broker hand-off v1")
    /// The record of a ticket that an app of the SDKs redeems.
    package static let signInTicket = Self("oidc-broker sign-in ticket v1")
    /// The record of a provider's ID token that a page of an app of the SDKs was handed.
    package static let handedOutToken = Self("oidc-broker handed-out ID token v1")
    /// A hand-off that waits for the user.
    package static let heldHandOff = Self("oidc-broker held hand-off v1")
    /// A sign-in of an extension that waits for a page to claim it.
    package static let heldForClaim = Self("oidc-broker held for claim v1")
    /// The claim of an ID token that an app presented.
    package static let nativeCredential = Self("oidc-broker native credential v1")
    /// The session that a hand-off code begins.
    package static let sessionOfCode = Self("oidc-broker session of code v1")
    /// The claim of an app's client assertion.
    package static let clientAssertion = Self("oidc-broker client assertion v1")
    /// The claim of an access token that ended before its expiry.
    package static let endedAccessToken = Self("oidc-broker ended access token v1")
    /// The claim of a provider's notification that was delivered.
    package static let notification = Self("oidc-broker notification v1")
    /// The claim of a provider's notification that is being delivered.
    package static let notificationInHand = Self("oidc-broker notification in hand v1")
    /// A name that a provider sent once.
    package static let unverifiedName = Self("oidc-broker unverified name v1")
    /// The owner of a record: an issuer and a subject.
    package static let owner = Self("oidc-broker owner v1")
    /// The owner of a record that waits for the user.
    package static let waitingOwner = Self("oidc-broker waiting owner v1")
    /// The owner of a result that waits for a page.
    package static let unclaimedOwner = Self("oidc-broker unclaimed owner v1")
    /// The browser in which a record waits for the user.
    package static let waitingBrowser = Self("oidc-broker waiting browser v1")
    /// The browser in which a result waits for a page.
    package static let unclaimedBrowser = Self("oidc-broker unclaimed browser v1")
    /// The app of a record: its client ID.
    package static let app = Self("oidc-broker app v1")
    /// The provider of a sign-in: a configured issuer.
    package static let provider = Self("oidc-broker provider v1")
}

extension SingleUseKey {
    /// Returns the key of the app with a client ID.
    package static func app(clientID: String) -> SingleUseKey {
        SingleUseKey(.app, Array(clientID.utf8))
    }

    /// Returns the key of the provider with a configured issuer.
    package static func provider(issuer: String) -> SingleUseKey {
        SingleUseKey(.provider, Array(issuer.utf8))
    }
}
