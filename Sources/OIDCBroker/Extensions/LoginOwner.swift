// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OIDCBrokerHTTP
package import OIDCBrokerRecords
package import OIDCBrokerState
package import OpenIDRelyingParty

/// Owns logins: it begins them, and gets their sign-ins in the place of an app.
package protocol LoginOwner: Sendable {
    /// The purpose of its logins, by which they find it again: a few ASCII characters that no other owner has.
    var loginPurpose: String { get }

    /// The title of one of its clients on pages; `nil` for a name that is made from the one in the configuration.
    /// - Parameter name: The name of the client in the owner's part of the configuration.
    func title(ofClient name: String) -> String?

    /// Whether a login that it began may go on under the present configuration.
    /// - Parameters:
    ///   - login: What the state of the login has.
    ///   - provider: The name of the provider in the configuration.
    func accepts(_ login: ExtensionLogin, at provider: String) -> Bool

    /// Delivers the verified sign-in of a login that it began, in the place of a hand-off to an app.
    /// - Parameters:
    ///   - signIn: What was verified.
    ///   - name: The name that came beside the ID token, or with an earlier one, and that no signature covers; `nil` if
    ///     there is none.
    ///   - login: The login.
    ///   - broker: What it may use of the broker.
    /// - Returns: A future of the request's event loop. Where it fails with ``RefusedDelivery``, the login ends with its
    ///   outcome, and where it fails otherwise, with ``Outcome/storeUnavailable``.
    func deliver(
        _ signIn: VerifiedSignIn, name: String?, of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<LoginDelivery>

    /// Hands over what it had held until the user continued.
    /// - Parameters:
    ///   - content: The bytes of the ``WaitingSignIn``.
    ///   - login: The login.
    ///   - broker: What it may use of the broker.
    /// - Returns: A future of the request's event loop, which fails as that of ``deliver(_:name:of:with:)`` does.
    func handOver(
        _ content: [UInt8], of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse>

    /// Returns the response with which a login that it began ends without a sign-in, in the place of a redirect to an app
    /// with an error. The outcome is one with an ``Outcome/error``.
    func response(to outcome: Outcome, of login: ReturnedLogin, with broker: BrokerAccess) -> BrokerResponse
}
