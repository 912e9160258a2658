// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import OpenIDRelyingParty

/// The broker as the standalone server has it: the server serves nothing else, so the root is the broker's too.
struct StandaloneResponder: BrokerResponder {
    let broker: Broker

    /// The path of the page that says what the server is.
    private static let root = "/"

    var limits: BrokerLimits { broker.limits }
    var memory: MemoryBudget { broker.memory }
    var tracesRequests: Bool { broker.tracesRequests }
    var responseDate: ResponseDate? { broker.responseDate }

    func handles(path: String) -> Bool { Self.isRoot(path) || broker.handles(path: path) }

    func accessPath(of target: String) -> String {
        Self.isRoot(target) ? Self.root : broker.accessPath(of: target)
    }

    func countUnreadableForwarding() { broker.countUnreadableForwarding() }

    func countRefusedBody(_ limit: BodyLimit) { broker.countRefusedBody(limit) }

    func refusal(_ response: BrokerResponse, of request: BrokerRequest) -> BrokerResponse {
        broker.refusal(response, of: request)
    }

    func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse> {
        broker.respond(to: request, on: eventLoop)
    }

    /// Whether a raw request target is the root, with or without a query.
    private static func isRoot(_ target: String) -> Bool {
        let beginning = target.utf8.prefix(2)
        return beginning.elementsEqual("/".utf8) || beginning.elementsEqual("/?".utf8)
    }
}
