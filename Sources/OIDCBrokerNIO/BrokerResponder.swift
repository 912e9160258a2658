// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OIDCBroker
package import OpenIDRelyingParty

/// What ``BrokerChannelHandler`` asks of the broker. A protocol only so that the handler is tested with answers on
/// demand; the one conformer in production is `Broker`.
package protocol BrokerResponder: Sendable {
    /// How many bytes a body may have and how long it may take.
    var limits: BrokerLimits { get }

    /// Whether a request target in origin form (bytes as received, nothing decoded; validated up to `?`) is the broker's.
    func handles(path: String) -> Bool

    /// Answers one complete request. A future of `.later` never fails and bears the broker's own deadline, so the
    /// handler has none for it.
    func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse>
}

extension Broker: BrokerResponder {}
