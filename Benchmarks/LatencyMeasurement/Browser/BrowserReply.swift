// SPDX-License-Identifier: Apache-2.0

/// What `Benchmarks/browser` says of a request that it made.
package struct BrowserReply: Sendable, Hashable {
    /// The time from the beginning of the connection, or of the request on a kept one, to the complete response.
    package let nanoseconds: Int64
    /// What the handshake negotiated; `nil` on a kept connection.
    package let handshake: String?
    /// Why there is no response of the target; `nil` if there is one.
    package let failure: String?

    /// The fields that a reader must keep for ``init(_:)``.
    package static let fields = ["browser-nanoseconds", "browser-handshake", "browser-failure"]

    /// Reads the fields of a response; `nil` if it was not made by a browser.
    package init?(_ message: HTTP1Message) {
        failure = message.first("browser-failure")
        handshake = message.first("browser-handshake")
        if let time = message.first("browser-nanoseconds").flatMap({ Int64($0) }), time >= 0 {
            nanoseconds = time
        } else if failure != nil {
            nanoseconds = 0
        } else {
            return nil
        }
    }
}
