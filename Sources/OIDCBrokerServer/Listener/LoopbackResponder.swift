// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import IdentityToolkit
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import OIDCBrokerRecords
import OpenIDRelyingParty

/// What responds to the requests on the loopback listener: the wire of the accounts and the admin operations, and no
/// endpoint of the broker.
struct LoopbackResponder: BrokerResponder {
    let broker: Broker
    /// The configuration. The credentials for the admin operations are taken from it for each request.
    let live: LiveServerConfiguration
    /// The place for the body of an import, which all connections share.
    let longBodies: LongBodies

    var limits: BrokerLimits { broker.limits }

    var memory: MemoryBudget { broker.memory }

    /// Everything that comes is for this listener.
    func handles(path: String) -> Bool { true }

    func accessPath(of target: String) -> String {
        let path = String(target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)])
        return broker.part(IdentityToolkit.self)?.loopbackAccessPath(of: path) ?? AccessLogPaths.other
    }

    func bodyRoom(for request: BrokerRequest) -> BodyRoom {
        guard LoopbackHosts.contain(request.authority),
            let bytes = broker.part(IdentityToolkit.self)?.longestBody(
                of: request, admin: live.current.loopback.adminCredentials)
        else { return .usual }
        return longBodies.room(for: bytes, in: memory)
    }

    func countRefusedBody(_ limit: BodyLimit) { broker.countRefusedBody(limit) }

    func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse> {
        guard LoopbackHosts.contain(request.authority) else {
            // A page may have many names of its own, and a browser opens connections for each.
            return .value(
                .plain(status: .misdirectedRequest, "This server does not respond for that name.\n")
                    .endingConnection())
        }
        return broker.respond(to: request, by: IdentityToolkit.self, on: eventLoop) { toolkit, access in
            toolkit.respondOnLoopback(to: request, with: access, admin: live.current.loopback.adminCredentials)
        }
    }
}
