// SPDX-License-Identifier: Apache-2.0

/// The connection that a request of a browser is made on, as the field that `Benchmarks/browser` reads.
package struct BrowserWish: Sendable, Hashable {
    /// What becomes of the connection after the response.
    package enum Afterwards: String, Sendable, Hashable {
        /// It is closed.
        case close
        /// The next request of this browser may use it.
        case keep
        /// It stands open until the process of the browsers ends.
        case hold
    }

    /// The name of the field.
    package static let field = "browser-connection"
    /// The value of the field that asks how many connections are held.
    package static let count = "count"
    /// The cipher suite that browsers prefer, and every target here takes.
    private static let cipher = "TLS_AES_128_GCM_SHA256"
    /// The key of the certificate that is made for a run.
    private static let certificate = "ECDSA P-256"

    /// The connection.
    package let opening: BrowserConnections.Opening
    /// The group of the key exchange.
    package let group: BrowserConnections.Group
    /// What becomes of it.
    package let afterwards: Afterwards

    /// The wish for a start.
    ///
    /// - Parameters:
    ///   - connections: Those of the load.
    ///   - extent: The parts of a sign-in in the load.
    ///   - hasSession: Whether there was a handshake whose session can be resumed.
    ///   - isHeld: Whether the connection stands open afterwards.
    package static func start(
        _ connections: BrowserConnections, _ extent: LoadShape.Extent, hasSession: Bool, isHeld: Bool = false
    ) -> BrowserWish {
        let isKept = extent == .signIn && connections.callback == .kept
        return BrowserWish(
            opening: connections.start == .resumed && hasSession ? .resumed : .new, group: connections.group,
            afterwards: isHeld ? .hold : isKept ? .keep : .close)
    }

    /// The wish for a callback, after which the browser goes to the app.
    package static func callback(_ connections: BrowserConnections) -> BrowserWish {
        BrowserWish(opening: connections.callback, group: connections.group, afterwards: .close)
    }

    /// The value of the field.
    package var text: String { "\(opening.rawValue) \(group.name) \(afterwards.rawValue)" }

    /// The handshake that must have been made, in the words of `Benchmarks/browser`; `nil` for none.
    package var handshake: String? {
        let full = "TLS 1.3, h2, \(group.name), \(Self.cipher), \(Self.certificate)"
        return switch opening {
        case .new: full
        case .resumed: full + ", resumed"
        case .kept: nil
        }
    }

    /// Returns how the handshake that was made differs; `nil` if it does not.
    package func difference(from found: String?) -> String? {
        guard found != handshake else { return nil }
        return "\(Self.differs)\(found ?? "no handshake"), not \(handshake ?? "no handshake")"
    }

    /// The beginning of a difference, after which a measurement compares unequal things.
    private static let differs = "the handshake was "

    /// Returns the first of some kinds of errors that says that a handshake differed.
    package static func difference(in errors: some Collection<String>) -> String? {
        errors.sorted().first { $0.contains(differs) }
    }
}
