// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A place on the broker's own origin to which a user is sent after a sign-in in process: a path with an optional query
/// and fragment, which no user agent or server takes for another origin or for a path of the broker.
package struct LocalDestination: Sendable, Hashable {
    /// The maximum length, in bytes: that of an app's `state`, whose place it takes.
    static let maximumLength = 2048

    /// The path with its query and fragment, as it was given.
    package let text: String

    /// The root of the origin.
    package static let root = LocalDestination(unchecked: "/")

    private init(unchecked text: String) { self.text = text }

    /// Creates a destination; `nil` if the text is not one.
    package init?(_ text: WireText, besides paths: BrokerPaths) {
        guard let text = text.visibleASCII(atMost: Self.maximumLength), !text.utf8.contains(UInt8(ascii: "\\")),
            text.utf8.first == UInt8(ascii: "/")
        else { return nil }
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let names = Self.names(Array(path)), !Self.isOfBroker(names, paths) else { return nil }
        self.text = text
    }

    /// The names between the slashes of a path, decoded; `nil` if a decoder could read the path in another way: with an
    /// encoded slash, backslash or control character, an incomplete or repeated encoding, an empty name, or a name of
    /// dots.
    private static func names(_ path: [UInt8]) -> [[UInt8]]? {
        var names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        // The path may end in a slash.
        if names.last?.isEmpty == true { names = names.dropLast() }
        var decoded: [[UInt8]] = []
        for name in names {
            guard let bytes = decode(name), !bytes.isEmpty, bytes != [0x2E], bytes != [0x2E, 0x2E] else { return nil }
            decoded.append(bytes)
        }
        return decoded
    }

    private static func decode(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.hexadecimal),
                let low = rest.popFirst().flatMap(Self.hexadecimal)
            else { return nil }
            let value = high << 4 | low
            // A percent sign would be decoded once more by some.
            guard value >= 0x20, value != 0x7F, value != UInt8(ascii: "/"), value != UInt8(ascii: "\\"),
                value != UInt8(ascii: "%")
            else { return nil }
            bytes.append(value)
        }
        return bytes
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Whether the path is the broker's own, in any case of its letters.
    private static func isOfBroker(_ names: [[UInt8]], _ paths: BrokerPaths) -> Bool {
        let path = names.reduce(into: [UInt8]()) { path, name in
            path.append(UInt8(ascii: "/"))
            path += name.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        }
        return paths.overlaps(foldedPath: path)
    }
}
