// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The outbound event that a connection is not to be read for a time: its client was told that it asks too often.
///
/// ``BrokerChannelHandler`` triggers it with such a response, and the first handler of the connection acts on it. On an
/// HTTP/2 stream it is passed on to the connection.
package struct ReadPause: Sendable, Hashable {
    /// The longest time in seconds, whatever the client was told: what waits on the connection waits with it.
    package static let maximumSeconds: Int64 = 5

    /// How long nothing is read.
    package let time: TimeAmount

    /// Creates an event.
    /// - Parameter seconds: The time until the client may ask again.
    package init(seconds: Int64) {
        time = .seconds(min(max(seconds, 0), Self.maximumSeconds))
    }
}
