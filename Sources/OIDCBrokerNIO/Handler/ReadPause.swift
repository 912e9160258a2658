// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// An outbound event that stops reading from a connection for a time, because its client asked too often.
///
/// ``BrokerChannelHandler`` triggers it together with the response that says so. The first handler of the connection's
/// pipeline acts on it. An HTTP/2 stream passes it on to its connection.
package struct ReadPause: Sendable, Hashable {
    /// The longest pause in seconds, whatever the client was told: everything else on the connection has to wait too.
    package static let maximumSeconds: Int64 = 5

    /// The length of the pause.
    package let time: TimeAmount

    /// Creates an event.
    /// - Parameter seconds: The time until the client may ask again.
    package init(seconds: Int64) {
        time = .seconds(min(max(seconds, 0), Self.maximumSeconds))
    }
}
