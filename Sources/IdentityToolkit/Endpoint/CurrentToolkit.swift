// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OIDCBroker
import Synchronization

/// The wire of the SDKs under the configuration of the accounts that is in use now. Each call is handed to one
/// `IdentityToolkit`, which stays the same for it, so that a request finishes under the configuration that it began with.
package final class CurrentToolkit: BrokerExtension {
    private let toolkit: Mutex<IdentityToolkit>

    /// Creates the extension of a broker.
    package init(_ toolkit: IdentityToolkit) { self.toolkit = Mutex(toolkit) }

    /// The wire for requests that begin now.
    package var current: IdentityToolkit { toolkit.withLock { $0 } }

    /// Replaces the wire, for every request from now on. It must have been configured.
    package func replace(by next: IdentityToolkit) { toolkit.withLock { $0 = next } }

    package func configure(_ configuration: BrokerConfiguration) { current.configure(configuration) }

    package func handles(path: String) -> Bool { current.handles(path: path) }

    package func accessPath(of path: String) -> String? { current.accessPath(of: path) }

    package func respond(
        to request: BrokerRequest, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        current.respond(to: request, with: broker)
    }

    package var admitsSignIns: Bool { current.admitsSignIns }

    package func admit(
        _ signIn: SignInForAdmission, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SignInAdmission> {
        current.admit(signIn, on: eventLoop)
    }

    package func isUsable(account: String, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        current.isUsable(account: account, on: eventLoop)
    }

    package func nativeAudiences(at providerID: String, named name: String) -> [String] {
        current.nativeAudiences(at: providerID, named: name)
    }

    package func receive(
        _ notification: ProviderNotification, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        current.receive(notification, on: eventLoop)
    }
}
