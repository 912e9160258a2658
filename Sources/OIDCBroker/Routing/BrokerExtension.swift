// SPDX-License-Identifier: Apache-2.0

package import Admission
import JOSE
package import Logging
package import NIOCore
package import OIDCBrokerConfiguration
package import OIDCBrokerHTTP
package import OIDCBrokerRecords
package import OIDCBrokerState
package import OpenIDRelyingParty

/// A part of a server that responds at paths of its own beside the broker's, and that may take part in sign-ins and
/// notifications. The broker knows nothing of what it does.
package protocol BrokerExtension: Sendable {
    /// Returns the extension of the requests that begin under a configuration, which takes what it needs of that. The
    /// broker hands it over together with the configuration, so that a request sees both of the same reload.
    ///
    /// It is called for each configuration that was found valid, when the broker is created and at each reload, never
    /// twice at the same time. It must not call the broker.
    func configured(by configuration: BrokerConfiguration) -> any BrokerExtension

    /// Whether a path is the extension's: the bytes of the raw request target up to `?`. It is asked for every request
    /// that is not the broker's own, so it must be cheap.
    func handles(path: String) -> Bool

    /// The limit in which the requests to one of its paths count. Those that browsers are sent to count before the
    /// extension is asked, in `browsers`; for `refusals` it calls ``BrokerAccess/countingFailures(over:_:)``. `nil` is for
    /// constant bytes, which cost no more than a refusal.
    func limit(at path: String) -> RateLimit?

    /// Returns the path for the line about a request if it is one of a closed list of the extension's; `nil` otherwise.
    func accessPath(of path: String) -> String?

    /// Responds to a request, on its connection's event loop. The future does not fail.
    func respond(to request: BrokerRequest, with broker: BrokerAccess) -> EventLoopFuture<BrokerResponse>

    /// Whether it decides about the sign-ins of apps with accounts. Only the first such extension is asked.
    var admitsSignIns: Bool { get }

    /// Decides whether a verified sign-in may go on to an app with accounts. Nothing was handed off yet.
    /// - Returns: A future of the event loop. Where it fails, the sign-in ends, and the app may try again.
    func admit(_ signIn: SignInForAdmission, on eventLoop: any EventLoop) -> EventLoopFuture<SignInAdmission>

    /// Returns whether the account of a sign-in that was admitted a while ago may still be used, before the app gets its
    /// tokens.
    /// - Parameters:
    ///   - account: The identifier with which the sign-in was admitted.
    ///   - eventLoop: The event loop of the future. Where the future fails, the app gets no tokens, and may try again.
    func isUsable(account: String, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>

    /// The client IDs of native apps at a provider that are not in the broker's configuration. A notification of the
    /// provider may be addressed to any of them.
    /// - Parameters:
    ///   - providerID: The ID of the provider that clients know.
    ///   - name: Its name in the configuration.
    func nativeAudiences(at providerID: String, named name: String) -> [String]

    /// Takes part in a verified notification of a provider before it is handed on. The same one may come again.
    /// - Returns: A future of the event loop with whether the notification concerned the extension. Where it fails, the
    ///   notification is not handed on, and the provider sends it again.
    func receive(_ notification: ProviderNotification, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>

    /// Whether it takes the GET requests to the broker's own callback path that carry `apiKey` and no `state`, which are
    /// starts of the SDKs of Firebase. Only the first such extension gets them, as requests to respond to.
    var takesHandlerStarts: Bool { get }

    /// The purpose of the logins that it begins, by which they find it again: a few ASCII characters that no other
    /// extension has; `nil` if it begins none.
    var loginPurpose: String? { get }

    /// The title of one of its clients on pages; `nil` for a name that is made from the one in the configuration.
    /// - Parameter name: The name of the client in the extension's part of the configuration.
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

    /// Hands over what it had held until the person continued.
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

extension BrokerExtension {
    package func configured(by configuration: BrokerConfiguration) -> any BrokerExtension { self }

    package func accessPath(of path: String) -> String? { nil }

    package var admitsSignIns: Bool { false }

    package func admit(
        _ signIn: SignInForAdmission, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SignInAdmission> {
        eventLoop.makeSucceededFuture(.unavailable)
    }

    package func isUsable(account: String, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(true)
    }

    package func nativeAudiences(at providerID: String, named name: String) -> [String] { [] }

    package func receive(
        _ notification: ProviderNotification, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(false)
    }

    package var takesHandlerStarts: Bool { false }

    package var loginPurpose: String? { nil }

    package func title(ofClient name: String) -> String? { nil }

    package func accepts(_ login: ExtensionLogin, at provider: String) -> Bool { false }

    package func deliver(
        _ signIn: VerifiedSignIn, name: String?, of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<LoginDelivery> {
        broker.eventLoop.makeFailedFuture(RefusedDelivery(.changed))
    }

    package func handOver(
        _ content: [UInt8], of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        broker.eventLoop.makeFailedFuture(RefusedDelivery(.changed))
    }

    package func response(to outcome: Outcome, of login: ReturnedLogin, with broker: BrokerAccess) -> BrokerResponse {
        broker.page(of: outcome, login)
    }
}

/// What an extension may use of the broker while it responds to one request.
package struct BrokerAccess: Sendable {
    /// The path of the request, visible ASCII.
    package let path: String
    /// The query of the request without `?`, undecoded.
    package let query: Substring
    let context: RequestContext

    init(context: RequestContext, path: String, query: Substring) {
        self.context = context
        self.path = path
        self.query = query
    }

    /// Creates it for a request to an endpoint of the broker's own, whose path and query are no concern of an extension.
    init(_ context: RequestContext) {
        self.init(context: context, path: "", query: "")
    }

    /// The event loop of the request's connection.
    package var eventLoop: any EventLoop { context.eventLoop }
    /// The request's logger, or else the broker's.
    package var logger: Logger { context.logger }
    /// The current time, in seconds since 1970.
    package var now: Int64 { context.services.clock.now() }

    /// Returns a provider by the ID that clients know; `nil` if there is none.
    package func provider(id: String) -> Provider? {
        context.snapshot.providers.first { $0.id.hasSameBytes(as: id) }.map { Provider($0, context) }
    }

    /// A provider of the configuration.
    package struct Provider: Sendable {
        /// The ID that clients know.
        package let id: String
        /// The name in the configuration.
        package let name: String
        /// What verifies its ID tokens.
        package let relyingParty: RelyingParty
        /// Whether it sends the name of a person beside the ID token, as Apple does.
        package let sendsUser: Bool
        let entry: ProviderEntry
        let context: RequestContext

        init(_ entry: ProviderEntry, _ context: RequestContext) {
            self.entry = entry
            self.context = context
            id = entry.id
            name = entry.name
            relyingParty = entry.relyingParty
            sendsUser = entry.behavior.sendsUser
        }
    }
}
