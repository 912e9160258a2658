// SPDX-License-Identifier: Apache-2.0

/// What a hostile client does on one connection.
package struct HostileScript: Sendable, Hashable {
    /// One step.
    package enum Step: Sendable, Hashable {
        /// Bytes, as fast as they are taken.
        case send([UInt8])
        /// Bytes, so many at a time, with a pause behind each piece.
        case drip([UInt8], unit: Int, milliseconds: Int)
        /// Waits for a response (HTTP/1.1).
        case response
        /// The callback of the login that the response before has begun, with its cookie and these parameters besides
        /// `state`. Where none was begun the script ends.
        case callback(String)
        /// Waits; what comes is read and counted, or left in the socket.
        case pause(milliseconds: Int, reads: Bool)
    }

    /// Whether it is written for HTTP/2.
    package let isHTTP2: Bool
    /// What is done, in order.
    package let steps: [Step]

    /// How many bytes it sends, callbacks not counted.
    package var byteCount: Int {
        steps.reduce(0) { sum, step in
            switch step {
            case .send(let bytes), .drip(let bytes, _, _): sum + bytes.count
            case .response, .callback, .pause: sum
            }
        }
    }
}
