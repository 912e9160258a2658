// SPDX-License-Identifier: Apache-2.0

/// How often a kind of input was sent, and what came of it.
package struct HostileCounts: Sendable, Hashable {
    /// What comes of an input.
    package enum Answer: Sendable, Hashable {
        /// An HTTP/1.1 answer.
        case status(Int)
        /// The answer's head on a stream.
        case streamAnswered
        /// RST_STREAM.
        case streamReset
        /// GOAWAY.
        case goAway
        /// The connection was closed, or lost.
        case closed
        /// No connection was made.
        case notConnected
        /// Nothing in time.
        case noResponse
        /// Something that is no HTTP/1.1.
        case unreadable

        /// What the table calls it.
        package var title: String {
            switch self {
            case .status(let status): String(status)
            case .streamAnswered: "answered"
            case .streamReset: "reset"
            case .goAway: "GOAWAY"
            case .closed: "closed"
            case .notConnected: "no connection"
            case .noResponse: "no answer"
            case .unreadable: "unreadable"
            }
        }
    }

    /// How many connections were tried.
    package var connections = 0
    /// How many inputs were sent.
    package var sent = 0
    /// What came of them.
    package private(set) var answers: [Answer: Int] = [:]

    /// Nothing yet.
    package init() {}

    /// Counts a response.
    package mutating func add(_ response: Answer) { answers[response, default: 0] += 1 }

    /// Counts a frame (RFC 9113 section 6), unless it says nothing of a request.
    mutating func add(frame type: UInt8) {
        switch type {
        case 1: add(.streamAnswered)
        case 3: add(.streamReset)
        case 7: add(.goAway)
        default: break
        }
    }

    /// Adds what was counted elsewhere.
    package mutating func add(_ other: HostileCounts) {
        connections += other.connections
        sent += other.sent
        answers.merge(other.answers, uniquingKeysWith: +)
    }

    /// The answers, most frequent first.
    package var text: String {
        let sorted = answers.map { (title: $0.key.title, count: $0.value) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.title < $1.title
        }
        return sorted.map { "\($0.count) x \($0.title)" }.joined(separator: ", ")
    }
}
