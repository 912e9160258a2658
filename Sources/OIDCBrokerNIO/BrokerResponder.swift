// SPDX-License-Identifier: Apache-2.0

package import Admission
package import NIOCore
package import OIDCBroker
package import OIDCBrokerHTTP
import OIDCBrokerRecords
package import OpenIDRelyingParty

/// The broker as ``BrokerChannelHandler`` uses it. It is a protocol so that tests of the handler control the responses;
/// `Broker` is the only conforming type in production.
package protocol BrokerResponder: Sendable {
    /// The limits on the size of a body and on the time it takes.
    var limits: BrokerLimits { get }

    /// The memory for what clients make the process hold.
    var memory: MemoryBudget { get }

    /// Whether the broker handles a request target in origin form. The bytes are compared as received, up to `?`,
    /// without decoding.
    func handles(path: String) -> Bool

    /// Returns the path that the line about a request shows: one of the broker's own, or `AccessLogPaths.other`.
    func accessPath(of target: String) -> String

    /// Whether requests are traced, so that the trace context of a trusted proxy is read.
    var tracesRequests: Bool { get }

    /// The field `Date` of responses, where the handler adds it; `nil` for none.
    var responseDate: ResponseDate? { get }

    /// Returns the room for the body of a request after its head.
    func bodyRoom(for request: BrokerRequest) -> BodyRoom

    /// Counts a request whose forwarding field, of a trusted proxy, names no client that can be read.
    func countUnreadableForwarding()

    /// Counts a body, or what was received behind a request, for which there was no memory.
    /// - Parameter limit: The limit that it would have exceeded.
    func countRefusedBody(_ limit: BodyLimit)

    /// Returns the response to a request that the connection refuses, in place of a plain one.
    func refusal(_ response: BrokerResponse, of request: BrokerRequest) -> BrokerResponse

    /// Responds to a complete request. A future of `.later` never fails and is bounded by the broker's own deadline, so
    /// the handler sets none.
    func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse>
}

extension BrokerResponder {
    /// No path is known.
    package func accessPath(of target: String) -> String { AccessLogPaths.other }

    /// `false`: requests are not traced.
    package var tracesRequests: Bool { false }

    /// There is none.
    package var responseDate: ResponseDate? { nil }

    /// That of every other request.
    package func bodyRoom(for request: BrokerRequest) -> BodyRoom { .usual }

    /// Nothing is counted.
    package func countUnreadableForwarding() {}

    /// Returns the plain response.
    package func refusal(_ response: BrokerResponse, of request: BrokerRequest) -> BrokerResponse { response }

    /// Nothing is counted.
    package func countRefusedBody(_ limit: BodyLimit) {}
}

extension Broker: BrokerResponder {}
