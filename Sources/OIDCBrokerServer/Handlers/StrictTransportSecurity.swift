// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHPACK
import OIDCBroker
import OIDCBrokerConfiguration

/// The field `Strict-Transport-Security` (RFC 6797 section 6.1) in its encoded forms, made once for a configuration.
///
/// It is in every final response, from any source, so the handlers next to the connection write it. A proxy in front
/// that terminates TLS passes it on; a user agent ignores it over plain HTTP.
final class StrictTransportSecurity: Sendable {
    /// The field line of HTTP/1, with its line break.
    let line: ByteBuffer
    private let name = HTTPField.Name.strictTransportSecurity.canonicalName
    private let value: String

    /// Creates a field.
    /// - Parameter maximumAge: For how long user agents use https alone, in whole seconds.
    init(maximumAge: Duration) {
        let value = "max-age=\(maximumAge.components.seconds)"
        self.value = value
        var line = ByteBuffer()
        line.writeField(HTTPField(name: .strictTransportSecurity, value: value))
        self.line = line
    }

    /// Adds the field to the head of a response on HTTP/2.
    func add(to headers: inout HPACKHeaders) {
        headers.add(name: name, value: value, indexing: .indexable)
    }

    /// Whether responses have the field if the broker has the given public URL: a user agent that learned it for a
    /// loopback host would refuse every other server on the machine.
    static func applies(to publicURL: PublicURL) -> Bool { publicURL.isSecure && !publicURL.isLoopback }
}
