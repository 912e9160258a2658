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
        /// Send the callback of a user who signed in, of the login that the previous response began. If none was begun, the
        /// script ends. The user is one of so many, the same on the whole connection, or a new one each time.
        case signIn(identities: Int?)
        /// Send a request of an SDK with what earlier responses gave. If they gave nothing, the script ends.
        case ask(SDKRequest)
        /// Wait for a response (HTTP/1.1) and count what it says.
        case result(Result)
        /// Wait. Received bytes are read and counted, or left in the socket.
        case pause(milliseconds: Int, reads: Bool)
    }

    /// A request of a Firebase SDK.
    package enum SDKRequest: Sendable, Hashable {
        /// The redemption of the ticket of the login.
        case signIn
        /// A lookup with the ID token of the session.
        case lookup
        /// A refresh of the session.
        case refresh
    }

    /// The texts, in Location or at the end of the body, by which a response is counted.
    package struct Result: Sendable, Hashable {
        /// The text of a response that grants what was asked for.
        package let accepted: String
        /// The text of a refusal that a client must never get after a success on the same connection; `nil` if there is
        /// none.
        package var shutOut: String?
    }

    /// Whether the script uses HTTP/2.
    package let isHTTP2: Bool
    /// Whether its bytes are those of a TLS handshake, so that no other one goes before them.
    package let isHandshake: Bool
    /// The steps, in order.
    package let steps: [Step]

    /// Whether all its logins are those of one browser. Otherwise each is that of another one.
    package var isOneBrowser = false
    /// The number of accepted results that the limits allow a connection; `nil` if they do not bound it.
    package var mostAccepted: Int?

    /// The number of bytes that it sends, without what depends on responses.
    package var byteCount: Int {
        steps.reduce(0) { sum, step in
            switch step {
            case .send(let bytes), .drip(let bytes, _, _): sum + bytes.count
            case .response, .flight, .callback, .signIn, .ask, .result, .pause: sum
            }
        }
    }
}
