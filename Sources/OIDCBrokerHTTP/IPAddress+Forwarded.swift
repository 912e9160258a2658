// SPDX-License-Identifier: Apache-2.0

import Admission

/// Addresses with ports, as forwarding fields have them.
extension IPAddress {
    /// The maximum length of an address with brackets and a port, which may be an obfuscated one, in bytes.
    private static let longestNode = 128

    /// Creates the address of an element of `X-Forwarded-For`: an address, an IPv4 address or an IPv6 address in
    /// brackets with a port, or an IPv6 address in brackets.
    package init?<Text: RandomAccessCollection<UInt8>>(forwardedFor element: Text) where Text.Index == Int {
        self.init(node: element, isBareIPv6Allowed: true)
    }

    /// Creates the address of a node of `Forwarded` (RFC 7239 section 6): an IPv4 address or an IPv6 address in
    /// brackets, in either case with or without a port, which may be an obfuscated one.
    /// - Returns: `nil` for `unknown` and for obfuscated identifiers.
    package init?<Text: RandomAccessCollection<UInt8>>(forwardedNode node: Text) where Text.Index == Int {
        self.init(node: node, isBareIPv6Allowed: false)
    }

    private init?<Text: RandomAccessCollection<UInt8>>(node: Text, isBareIPv6Allowed: Bool) where Text.Index == Int {
        let colon = UInt8(ascii: ":")
        guard node.count <= Self.longestNode else { return nil }
        if node.first == UInt8(ascii: "[") {
            let inner = node.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            guard inner.endIndex < node.endIndex, inner.contains(colon),
                Self.isPort(node[(inner.endIndex + 1)...], isObfuscatedAllowed: !isBareIPv6Allowed)
            else { return nil }
            self.init(utf8: inner)
            return
        }
        let host = node.prefix { $0 != colon }
        // No text of an IPv6 address has a dot before its first colon.
        if host.endIndex == node.endIndex || host.contains(UInt8(ascii: ".")) {
            guard Self.isPort(node[host.endIndex...], isObfuscatedAllowed: !isBareIPv6Allowed) else { return nil }
            self.init(utf8: host)
        } else {
            guard isBareIPv6Allowed else { return nil }
            self.init(utf8: node)
        }
    }

    /// Whether a text is empty, or a colon and a port.
    private static func isPort(_ text: some Collection<UInt8>, isObfuscatedAllowed: Bool) -> Bool {
        guard text.first == UInt8(ascii: ":") else { return text.isEmpty }
        let port = text.dropFirst()
        if isObfuscatedAllowed, port.first == UInt8(ascii: "_") {
            return port.count > 1
                && port.dropFirst().allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
        return (1...5).contains(port.count) && port.allSatisfy { (0x30...0x39).contains($0) }
    }
}
