// SPDX-License-Identifier: Apache-2.0

package import Admission
import JOSE
package import Logging
package import NIOCore

/// The line about one request (`server.log.access`). Nothing in it is a text that the client wrote: no query, no header
/// field and no body, and neither an unknown method nor an unknown path.
package struct AccessLine: Sendable, Hashable {
    /// The message of such a line.
    package static let message: Logger.Message = "request"

    /// A request method (RFC 9110 section 9).
    package enum Method: String, RegisteredName, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
        case patch = "PATCH"
        case connect = "CONNECT"
        case trace = "TRACE"
        /// Any other one.
        case other

        /// The method with a received name.
        package init(of name: String) {
            // Nearly every request has one of these.
            if name.hasSameBytes(asASCII: Self.get.rawValue) {
                self = .get
            } else if name.hasSameBytes(asASCII: Self.post.rawValue) {
                self = .post
            } else {
                self = Method(wire: WireText(name)) ?? .other
            }
        }
    }

    /// The version of HTTP.
    package enum Version: String, Sendable, CaseIterable {
        case http10 = "1.0"
        case http11 = "1.1"
        case http2 = "2"
    }

    /// The address of the client; `nil` if it is not known.
    package var address: IPAddress?
    /// The request method.
    package var method: Method
    /// One of the server's own paths, or ``AccessLogPaths/other``: what `Broker.accessPath(of:)` returns, never what was
    /// received.
    package var path: String
    /// The status code of the response.
    package var status: Int
    /// The number of bytes of the response's body.
    package var bytes: Int
    /// The time from the end of the request's head to the end of the response.
    package var duration: TimeAmount
    /// The version of HTTP.
    package var version: Version
    /// The label of the broker's outcome; `nil` if there is none.
    package var outcome: String?
    /// The reference of the login; `nil` if there is none.
    package var reference: String?

    /// Creates a line.
    package init(
        address: IPAddress?, method: Method, path: String, status: Int, bytes: Int, duration: TimeAmount,
        version: Version, outcome: String? = nil, reference: String? = nil
    ) {
        self.address = address
        self.method = method
        self.path = path
        self.status = status
        self.bytes = bytes
        self.duration = duration
        self.version = version
        self.outcome = outcome
        self.reference = reference
    }

    /// The names of members that other lines of the broker have too.
    package static let outcomeName: StaticString = "auth.outcome"
    package static let referenceName: StaticString = "auth.reference"
    /// The address as it is written.
    package var addressText: String { address?.description ?? "unknown" }
    /// The time in microseconds, which is written as thousandths of milliseconds.
    package var microseconds: Int64 { max(0, duration.nanoseconds) / 1_000 }

    /// The metadata of the line. Outcome and reference have the names that they have in the broker's other lines.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "address": .string(addressText),
            "method": .string(method.rawValue),
            "path": .string(path),
            "status": .stringConvertible(status),
            "bytes": .stringConvertible(bytes),
            "milliseconds": .stringConvertible(Double(microseconds) / 1_000),
            "version": .string(version.rawValue),
        ]
        if let outcome { metadata[Self.outcomeName.description] = .string(outcome) }
        if let reference { metadata[Self.referenceName.description] = .string(reference) }
        return metadata
    }
}
