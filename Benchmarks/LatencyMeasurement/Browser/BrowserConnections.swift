// SPDX-License-Identifier: Apache-2.0

/// The connections on which the browsers of a load come: TLS 1.3 and HTTP/2, most of them new.
package struct BrowserConnections: Sendable, Hashable, Codable {
    /// The group of the key exchange.
    package enum Group: String, Sendable, Hashable, Codable, CaseIterable {
        /// X25519 (RFC 7748), the only group and key share that is offered.
        case x25519
        /// The hybrid with ML-KEM-768, offered with a key share before that of X25519, as browsers do.
        case x25519MLKEM768 = "x25519mlkem768"

        /// The name in the registry of TLS.
        package var name: String {
            switch self {
            case .x25519: "X25519"
            case .x25519MLKEM768: "X25519MLKEM768"
            }
        }
    }

    /// The connection of a request.
    package enum Opening: String, Sendable, Hashable, Codable, CaseIterable {
        /// A new one with a full handshake.
        case new
        /// A new one that resumes the session of the last one.
        case resumed
        /// The one of the request before.
        case kept
    }

    /// The group that must be negotiated.
    package var group: Group
    /// The connection of the start, ``Opening/new`` or ``Opening/resumed``. The first one of a browser is new.
    package var start: Opening
    /// The connection of the callback.
    package var callback: Opening

    /// Creates the connections of a load.
    package init(group: Group, start: Opening = .new, callback: Opening = .resumed) {
        self.group = group
        self.start = start
        self.callback = callback
    }

    /// The text in the title of a load.
    ///
    /// - Parameter extent: The parts of a sign-in in the load.
    package func title(_ extent: LoadShape.Extent) -> String {
        let start = "browser with \(group.name), start \(start.rawValue)"
        return extent == .start ? start : "\(start), callback \(callback.rawValue)"
    }
}
