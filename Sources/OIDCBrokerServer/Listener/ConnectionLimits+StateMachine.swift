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
        /// The same of each address that has any, so that this is not longer than the maximum of connections.
        private var counts: [IPAddress: Int] = [:]
        private var written: [ConnectionRefusal: Written] = [:]

        /// The number of addresses with connections.
        var addressCount: Int { counts.count }

        /// Opens a connection.
        /// - Parameters:
        ///   - client: The address of the client; `nil` for one without a limit of its own.
        ///   - maximum: The maximum number of connections.
        ///   - maximumOfAddress: The maximum number of connections from one address.
        mutating func open(
            from client: IPAddress?, atMost maximum: Int, ofAddress maximumOfAddress: Int, now: Int64
        ) -> Admission {
            let address = client?.client
            let known = address.flatMap { counts[$0] } ?? 0
            // An address over its own limit is told apart, also while there is no room for anybody.
            if address != nil, known >= maximumOfAddress { return .refused(.address, line(.address, now: now)) }
            guard count < maximum else { return .refused(.total, line(.total, now: now)) }
            count += 1
            if let address { counts[address] = known + 1 }
            return .admitted
        }

        /// Closes a connection that was opened.
        mutating func close(from client: IPAddress?) {
            count = max(0, count - 1)
            guard let address = client?.client, let known = counts[address] else { return }
            counts[address] = known > 1 ? known - 1 : nil
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
