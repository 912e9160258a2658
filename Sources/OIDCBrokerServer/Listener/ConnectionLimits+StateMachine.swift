// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

extension ConnectionLimits {
    /// The open connections. It has no lock and no clock; `now` is given in seconds of elapsed time.
    struct StateMachine: Sendable {
        /// What becomes of a connection.
        enum Admission: Sendable, Hashable {
            /// It is open, and ``StateMachine/close(from:)`` must follow.
            case admitted
            /// It is closed, and was not counted.
            case refused(ConnectionRefusal, Line)
        }

        /// Whether a refusal is written into the log. Of each kind the first one in a second is.
        enum Line: Sendable, Hashable {
            /// It is, with the number of those that were left out since the last one.
            case write(leftOut: Int)
            /// It is not.
            case leaveOut
        }

        private struct Written: Sendable {
            let second: Int64
            var leftOut = 0
        }

        /// The number of open connections.
        private(set) var count = 0
        /// The same of each network that has any, so that this is not longer than three times the maximum.
        private var counts: [IPNetwork: Int] = [:]
        private var written: [ConnectionRefusal: Written] = [:]

        /// The number of networks with connections: one for an IPv4 address, three for an IPv6 one.
        var networkCount: Int { counts.count }

        /// Opens a connection.
        /// - Parameters:
        ///   - client: The address of the client; `nil` for one without a limit of its own.
        ///   - maximum: The maximum number of connections.
        ///   - refusal: Why one more than all is refused.
        ///   - maximumOfAddress: The maximum number of connections from one address, IPv6 from one /64; four times as many
        ///     from a /56, and eight times from a /48.
        mutating func open(
            from client: IPAddress?, atMost maximum: Int, over refusal: ConnectionRefusal = .total,
            ofAddress maximumOfAddress: Int, now: Int64
        ) -> Admission {
            let networks = client?.countedNetworks ?? []
            // An address over its own limit is told apart, also while there is no room for anybody.
            for (network, scale) in networks where counts[network, default: 0] >= maximumOfAddress * scale {
                return .refused(.address, line(.address, now: now))
            }
            guard count < maximum else { return .refused(refusal, line(refusal, now: now)) }
            count += 1
            for (network, _) in networks { counts[network, default: 0] += 1 }
            return .admitted
        }

        /// Closes a connection that was opened.
        mutating func close(from client: IPAddress?) {
            count = max(0, count - 1)
            guard let client else { return }
            for (network, _) in client.countedNetworks {
                guard let known = counts[network] else { continue }
                counts[network] = known > 1 ? known - 1 : nil
            }
        }

        private mutating func line(_ refusal: ConnectionRefusal, now: Int64) -> Line {
            if let last = written[refusal], last.second == now {
                written[refusal]?.leftOut = last.leftOut &+ 1
                return .leaveOut
            }
            let leftOut = written[refusal]?.leftOut ?? 0
            written[refusal] = Written(second: now)
            return .write(leftOut: leftOut)
        }
    }
}
