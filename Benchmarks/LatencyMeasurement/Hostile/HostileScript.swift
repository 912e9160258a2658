// SPDX-License-Identifier: Apache-2.0

/// The steps of a hostile client on one connection.
package struct HostileScript: Sendable, Hashable {
    /// One step.
    package enum Step: Sendable, Hashable {
        /// Send bytes as fast as they are accepted.
        case send([UInt8])
        /// Send bytes, a given number at a time, with a pause after each part.
        case drip([UInt8], unit: Int, milliseconds: Int)
        /// Wait for a response (HTTP/1.1).
        case response
        /// Wait for the flight of a server in a TLS handshake.
        case flight
        /// Send the callback of the login that the previous response began, with its cookie and these parameters in
        /// addition to `state`. If none was begun, the script ends.
        case callback(String)
        /// Wait. Received bytes are read and counted, or left in the socket.
        case pause(milliseconds: Int, reads: Bool)
    }

    /// Whether the script uses HTTP/2.
    package let isHTTP2: Bool
    /// Whether its bytes are those of a TLS handshake, so that no other one goes before them.
    package let isHandshake: Bool
    /// The steps, in order.
    package let steps: [Step]

    /// The number of bytes that it sends, without callbacks.
    package var byteCount: Int {
        steps.reduce(0) { sum, step in
            switch step {
            case .send(let bytes), .drip(let bytes, _, _): sum + bytes.count
            case .response, .flight, .callback, .pause: sum
            }
        }
    }
}
