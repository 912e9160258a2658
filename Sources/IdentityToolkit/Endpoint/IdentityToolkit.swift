// SPDX-License-Identifier: Apache-2.0

package import Accounts
import HTTPTypes
import JOSE
package import NIOCore
package import OIDCBroker
import OpenIDConnect

/// The wire of the Firebase SDKs for sign-in with OpenID Providers, beside a broker: it decodes requests, calls
/// `AccountService`, and encodes what it says.
package struct IdentityToolkit: BrokerExtension {
    let service: AccountService
    let apps: SDKApps
    let limits: AccountLimits
    private let sealer: PendingCredentialSealer
    private let handlerURL: String

    /// The limiter, and the clock that it counts by.
    package struct AccountLimits: Sendable {
        let limiter: any AccountLimiter
        let elapsed: @Sendable () -> Int64

        /// - Parameters:
        ///   - limiter: The limiter.
        ///   - elapsed: Returns seconds of elapsed time since any moment that does not change.
        package init(limiter: any AccountLimiter, elapsed: @escaping @Sendable () -> Int64) {
            self.limiter = limiter
            self.elapsed = elapsed
        }

        var allowsNewAccount: Bool { limiter.decide(.newAccount, now: elapsed()) == .proceed }

        func mayProceed(_ operation: LimitedAccountOperation) -> Bool {
            limiter.take(operation, now: elapsed()) == .proceed
        }
    }

    /// Creates the wire of a project.
    /// - Parameters:
    ///   - service: The accounts.
    ///   - apps: The apps of the SDKs.
    ///   - sealingKeys: The broker's sealing keys, newest first, 32 bytes each.
    ///   - handlerURL: The URL of the broker's handler page.
    ///   - limits: The limits on how often something happens.
    package init(
        service: AccountService, apps: [SDKApp], sealingKeys: [[UInt8]], handlerURL: String, limits: AccountLimits
    ) {
        self.service = service
        self.apps = SDKApps(apps)
        self.limits = limits
        self.handlerURL = handlerURL
        sealer = PendingCredentialSealer(sealingKeys: sealingKeys, projectID: service.tokens.projectID)
    }

    package func handles(path: String) -> Bool { ToolkitPath(path: path) != nil }

    package func respond(
        to request: BrokerRequest, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        guard let path = ToolkitPath(path: broker.path) else {
            return broker.eventLoop.makeSucceededFuture(.plain(status: .notFound, "There is nothing here.\n"))
        }
        let origin = ToolkitCrossOrigin(request.headerFields)
        if request.method == .options {
            var response = BrokerResponse.plain(status: .noContent, "")
            origin.allowPreflight(&response.head.headerFields, for: apps)
            return broker.eventLoop.makeSucceededFuture(response)
        }
        guard path.allows(method: request.method.rawValue) else {
            var response = BrokerResponse.plain(status: .methodNotAllowed, "That method is not allowed here.\n")
            response.head.headerFields[.allow] = path.methods.joined(separator: ", ")
            return broker.eventLoop.makeSucceededFuture(response)
        }
        let app: SDKApp
        do throws(ToolkitError) {
            app = try self.app(of: broker.query)
        } catch {
            var response = Self.response(ToolkitResponse(error, for: path.operation))
            origin.allow(&response.head.headerFields, for: apps)
            return broker.eventLoop.makeSucceededFuture(response)
        }
        let call = ToolkitCall(toolkit: self, operation: path.operation, app: app, broker: broker, sealer: sealer)
        return call.respond(to: request).map { content in
            var response = Self.response(content)
            origin.allow(&response.head.headerFields, for: app)
            return response
        }
    }

    /// Whether a URL is that of the broker's handler page.
    func isHandler(_ url: AbsoluteURL) -> Bool {
        url.text.utf8.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(handlerURL.utf8)
    }

    /// The app that the API key in the query names.
    private func app(of query: Substring) throws(ToolkitError) -> SDKApp {
        let received: WireText?
        do throws(ParametersError) {
            received = try FormURLEncoding.parse(query).nonEmptyValue("key")
        } catch {
            throw ToolkitError(.invalidArgument, "The query cannot be read, or has key twice.")
        }
        guard let key = received else { throw .missingKey }
        guard let app = apps.app(forKey: key) else { throw .unknownKey }
        return app
    }

    private static func response(_ content: ToolkitResponse) -> BrokerResponse {
        var response = BrokerResponse.plain(status: HTTPResponse.Status(code: content.status), "")
        response.head.headerFields[.contentType] = content.contentType
        if let seconds = content.retryAfter { response.head.headerFields[.retryAfter] = String(seconds) }
        response.body = ByteBuffer(bytes: content.body)
        return response
    }
}
