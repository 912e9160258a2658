// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerState

/// What a login at the handler page keeps until its callback, sealed in the `state` parameter.
struct HandlerLogin: Sendable, Hashable {
    /// The maximum length of ``encoded``, in bytes: with the longest origin and `eventId`. The sealed state of such a login
    /// has at most 2,048 characters.
    static let longest = 900

    /// The format: the first byte. Another version of the server refuses what it does not know.
    private static let format: UInt8 = 1

    /// The name of the app.
    let app: String
    /// What the login is for.
    let authType: AuthType
    /// Where the result goes.
    let destination: HandlerDestination
    /// What the SDK finds its operation by; `nil` if it sent nothing.
    let eventID: WireText?
    /// What the result is bound to; `nil` for a page.
    let binding: SessionBinding?

    /// Creates what a start leaves.
    init(_ start: HandlerStart, app: SDKApp) {
        self.app = app.name
        authType = start.authType
        destination = start.destination
        eventID = start.eventID
        binding = start.binding
    }

    /// The bytes that ``init(encoded:)`` reads.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(Self.format)
        writer.write(counted: app.utf8)
        writer.write(counted: authType.rawValue.utf8)
        destination.write(to: &writer)
        writer.write(counted: Array((eventID ?? "").utf8))
        writer.write(counted: binding?.bytes ?? [])
        return writer.bytes
    }

    /// Reads what ``encoded`` wrote; `nil` if it did not write this.
    init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard reader.readByte() == Self.format, let app = reader.readCountedString(),
            let authType = reader.readCountedString().flatMap({ AuthType(wire: WireText($0)) }),
            let destination = HandlerDestination(from: &reader),
            let eventID = reader.readCountedString(), let binding = reader.readCounted(), reader.isAtEnd,
            binding.isEmpty || binding.count == SessionBinding.byteCount
        else { return nil }
        self.app = app
        self.authType = authType
        self.destination = destination
        // An empty one was none at the start.
        self.eventID = eventID.isEmpty ? nil : WireText(eventID)
        self.binding = SessionBinding(bytes: binding)
    }
}
