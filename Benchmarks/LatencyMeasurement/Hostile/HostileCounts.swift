// SPDX-License-Identifier: Apache-2.0

/// The counts of one kind of input and of its results.
package struct HostileCounts: Sendable, Hashable {
    /// The result of an input.
    package enum Response: Sendable, Hashable {
        /// An HTTP/1.1 response.
        case status(Int)
        /// The head of a response on a stream.
        case streamAnswered
        /// RST_STREAM.
        case streamReset
        /// GOAWAY.
        case goAway
        /// The flight of a server in a TLS handshake, with its signature.
        case flight
        /// An alert instead of it.
        case alert
        /// What was asked for was granted.
        case accepted
        /// It was granted more often than the limits allow.
        case acceptedTooOften
        /// A client was refused that must not be.
        case shutOut
        /// The connection was closed or lost.
        case closed
        /// No connection could be made.
        case notConnected
        /// There was no response in time.
        case noResponse
        /// The response is not HTTP/1.1.
        case unreadable

        /// The name in the table.
        package var title: String {
            switch self {
            case .status(let status): String(status)
            case .streamAnswered: "answered"
            case .streamReset: "reset"
            case .goAway: "GOAWAY"
            case .flight: "flight"
            case .alert: "alert"
            case .accepted: "accepted"
            case .acceptedTooOften: "accepted beyond the limit"
            case .shutOut: "shut out"
            case .closed: "closed"
            case .notConnected: "no connection"
            case .noResponse: "no response"
            case .unreadable: "unreadable"
            }
        }
    }

    /// The number of attempted connections.
    package var connections = 0
    /// The number of inputs sent.
    package var sent = 0
    /// The number of each result.
    package private(set) var responses: [Response: Int] = [:]

    /// Creates empty counts.
    package init() {}

    /// Counts a response.
    package mutating func add(_ response: Response) { responses[response, default: 0] += 1 }

    /// Counts a frame (RFC 9113 section 6), unless it says nothing about a request.
    mutating func add(frame type: UInt8) {
        switch type {
        case 1: add(.streamAnswered)
        case 3: add(.streamReset)
        case 7: add(.goAway)
        default: break
        }
    }

    /// Adds other counts.
    package mutating func add(_ other: HostileCounts) {
        connections += other.connections
        sent += other.sent
        responses.merge(other.responses, uniquingKeysWith: +)
    }

    /// The results, most frequent first.
    package var text: String {
        let sorted = responses.map { (title: $0.key.title, count: $0.value) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.title < $1.title
        }
        return sorted.map { "\($0.count) x \($0.title)" }.joined(separator: ", ")
    }
}
