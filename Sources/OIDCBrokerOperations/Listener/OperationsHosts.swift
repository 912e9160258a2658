// SPDX-License-Identifier: Apache-2.0

import Admission

/// The hosts by which the listener for operators may be asked.
///
/// It shows everything to every client that reaches it, and the browser of an operator does. A foreign page reads it if
/// the name of that page leads here the next time it is looked up (DNS rebinding); `Host` then has that name. `Origin`
/// and `Sec-Fetch-Site` tell nothing: to a browser such a request is one of the page to itself, and over plain HTTP it
/// sends neither. So a request is answered by what such a page cannot have: an address, `localhost`, the configured
/// name, and beyond loopback a name that cannot come from public DNS. An attacker who can give such a name another
/// address is already on the operators' own network, and needs no browser.
struct OperationsHosts: Sendable {
    /// Top-level domains that public DNS never has: RFC 6761, RFC 6762, and what ICANN reserved for private use. In
    /// addition `svc`, which it does not have either, and with which the short names of Kubernetes' services end. Their
    /// shortest, of a service and a namespace, look like names of public DNS.
    private static let privateDomains = ["localhost", "local", "internal", "svc"]
    /// The maximum length of a name, in bytes, without the dot at its end.
    private static let longestName = 253

    private let configured: [UInt8]

    /// - Parameter configured: The address or host name on which the listener listens.
    init(configured: String) {
        self.configured = Array(Self.withoutRoot(Self.withoutCase(configured.utf8)[...]))
    }

    /// Whether a request is answered.
    /// - Parameters:
    ///   - field: The one `Host` field; `nil` if there is none, which no browser does.
    ///   - isLoopback: Whether the connection is to a loopback address.
    func accepts(_ field: String?, isLoopback: Bool) -> Bool {
        guard let field else { return true }
        guard let host = Self.host(of: Self.withoutCase(field.utf8)) else { return false }
        switch host {
        case .address: return true
        case .name(let name):
            if name == configured || name == Array("localhost".utf8) { return true }
            return !isLoopback && Self.isPrivate(name)
        }
    }

    private enum Host {
        case address
        case name([UInt8])
    }

    /// The host of a field with or without a port; `nil` if it is none.
    private static func host(of field: [UInt8]) -> Host? {
        let colon = UInt8(ascii: ":")
        if field.first == UInt8(ascii: "[") {
            guard let end = field.firstIndex(of: UInt8(ascii: "]")), isPort(field[(end + 1)...]) else { return nil }
            let inner = field[1..<end]
            return inner.contains(colon) && IPAddress(utf8: inner) != nil ? .address : nil
        }
        let name = field.prefix { $0 != colon }
        guard isPort(field[name.endIndex...]) else { return nil }
        if IPAddress(utf8: name) != nil { return .address }
        let relative = withoutRoot(name)
        let isName = (1...longestName).contains(relative.count) && relative.allSatisfy(isOfName)
        return isName ? .name(Array(relative)) : nil
    }

    /// A name without the dot at its end, which says that it is complete (RFC 1034 section 3.1).
    private static func withoutRoot(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.last == UInt8(ascii: ".") ? name.dropLast() : name
    }

    /// Whether a text is empty, or a colon with up to five digits.
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: ":") else { return text.isEmpty }
        return text.count <= 6 && text.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }

    /// Whether a name has one label, or a top-level domain of ``privateDomains``.
    private static func isPrivate(_ name: [UInt8]) -> Bool {
        let dot = UInt8(ascii: ".")
        guard let last = name.lastIndex(of: dot) else { return true }
        return privateDomains.contains { Array($0.utf8) == Array(name[(last + 1)...]) }
    }

    private static func withoutCase(_ text: String.UTF8View) -> [UInt8] {
        text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
