// SPDX-License-Identifier: Apache-2.0

import SingleUse
package import OIDCBrokerHTTP
package import OIDCBrokerPages
package import OIDCBrokerRecords
package import OIDCBrokerState

/// A login of an extension that has returned, as the extension sees it.
package struct ReturnedLogin: Sendable {
    /// What the state of the login has.
    package let login: ExtensionLogin
    /// The provider.
    package let provider: BrokerAccess.Provider
    /// The ID of the login, 16 bytes, by which its cookie is found.
    package let loginID: [UInt8]
    /// The language that the client asked for; `nil` for that of the user agent.
    package let language: Language?

    /// The extension's own bytes.
    package var content: [UInt8] { login.content }
    /// The reference of the login.
    package var reference: PageReference { PageReference(loginID: loginID) }
}

/// How an extension delivers a verified sign-in of a login that it began.
package enum LoginDelivery: Sendable {
    /// The response hands the sign-in to the client. The cookie of the login is deleted.
    case handedOver(BrokerResponse)
    /// The sign-in waits until the user continues to an app on the device, on a page of the broker.
    case waitingForPerson(WaitingSignIn)
    /// The sign-in waits until a page claims it with the cookie of the login, see ``BrokerAccess/claim(_:of:for:_:)``.
    /// The response sends the user agent to that page.
    case waitingForClaim([UInt8], BrokerResponse)
}

/// The reason why an extension delivers no sign-in.
package struct RefusedDelivery: Error, Sendable, Hashable {
    /// The outcome of the login.
    package let outcome: Outcome

    /// Creates a reason.
    package init(_ outcome: Outcome) { self.outcome = outcome }
}

extension SingleUsePut {
    /// Whether the value is stored.
    /// - Throws: ``RefusedDelivery`` if it is not, with the outcome of a login whose result it is.
    package func requireStored() throws(RefusedDelivery) {
        if let refusal = HandOffDelivery.Refusal(self) { throw RefusedDelivery(refusal.outcome) }
    }
}
