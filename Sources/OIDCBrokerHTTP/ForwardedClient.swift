// SPDX-License-Identifier: Apache-2.0

package import Admission

/// The client of a request that came through trusted proxies, read from their forwarding field.
///
/// The field is read from the right, since each proxy appends its peer's address: as long as the address so far is a
/// trusted proxy's, it names the one before it. The first that is not trusted is the client; everything to its left is
/// what the client says of itself, and is not even looked at. That is why quoted strings are read from the right as well:
/// a quotation mark that a client leaves open swallows nothing that a proxy appended.
package struct ForwardedClient: Sendable, Hashable {
    /// The maximum number of elements that are read of all field lines together, empty ones included.
    package static let maximumElements = 32

    /// The address of the client: the first address that is not a trusted proxy's, or else the last that is. `nil` for
    /// a proxy on a Unix domain socket that named no client.
    package let client: IPAddress?
    /// Whether an element that had to be read was no address, or was one too many. ``client`` is then the last trusted
    /// address.
    package let wasUnreadable: Bool

    /// Resolves the client of one request, in time linear in the length of the field lines.
    ///
    /// Without the field, or with an empty one, the request is one of the proxy itself, such as a health check, and the
    /// proxy is the client.
    ///
    /// - Parameters:
    ///   - proxy: The address of the connection's peer, which is a trusted proxy; `nil` for one on a Unix domain socket.
    ///   - lines: The values of all lines of the field, in the order in which they were received.
    ///   - field: The field that the lines are of.
    ///   - trusted: The proxies.
    package static func resolve(
        behind proxy: IPAddress?, lines: [[UInt8]], field: ForwardedField, trusted: TrustedProxies
    ) -> ForwardedClient {
        var reading = Reading(field: field, trusted: trusted, last: proxy)
        for line in lines.reversed() {
            if let client = line.withUnsafeBufferPointer({ reading.read($0[...]) }) { return client }
        }
        return ForwardedClient(client: reading.last, wasUnreadable: false)
    }

    /// A part of a line, which is read in place: to count references would take longer than to read an address.
    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// Reads lines from the last one on.
    private struct Reading {
        let field: ForwardedField
        let trusted: TrustedProxies
        /// The last trusted address so far.
        var last: IPAddress?
        private var elements = 0

        init(field: ForwardedField, trusted: TrustedProxies, last: IPAddress?) {
            (self.field, self.trusted, self.last) = (field, trusted, last)
        }

        /// Reads a line; `nil` if the one before it has to be read too.
        mutating func read(_ line: Bytes) -> ForwardedClient? {
            var rest: Bytes? = line
            while let list = rest {
                elements += 1
                guard elements <= maximumElements, let start = startOfLastElement(of: list, field) else {
                    return ForwardedClient(client: last, wasUnreadable: true)
                }
                rest = start > list.startIndex ? list[..<(start - 1)] : nil
                let element = withoutWhiteSpace(list[start...])
                // Empty elements are allowed (RFC 9110 section 5.6.1.2).
                guard !element.isEmpty else { continue }
                guard let address = address(in: element) else {
                    return ForwardedClient(client: last, wasUnreadable: true)
                }
                guard trusted.contains(address) else { return ForwardedClient(client: address, wasUnreadable: false) }
                last = address
            }
            return nil
        }

        private func address(in element: Bytes) -> IPAddress? {
            switch field {
            case .none: nil
            case .xForwardedFor: IPAddress(forwardedFor: element)
            case .forwarded: ForwardedElement.node(in: Array(element)[...]).flatMap { IPAddress(forwardedNode: $0) }
            }
        }
    }

    /// The index behind the last comma that is not in a quoted string; `nil` if a quoted string has no beginning.
    private static func startOfLastElement(of list: Bytes, _ field: ForwardedField) -> Int? {
        let comma = UInt8(ascii: ",")
        guard field == .forwarded else { return list.lastIndex(of: comma).map { $0 + 1 } ?? list.startIndex }
        var isQuoted = false
        var index = list.endIndex
        while index > list.startIndex {
            index -= 1
            if list[index] == UInt8(ascii: "\"") {
                // Within a quoted string, one behind an odd number of backslashes is a part of the string.
                let escapes = isQuoted ? backslashes(before: index, in: list) : 0
                if escapes.isMultiple(of: 2) {
                    isQuoted.toggle()
                } else {
                    index -= escapes
                }
            } else if list[index] == comma, !isQuoted {
                return index + 1
            }
        }
        return isQuoted ? nil : list.startIndex
    }

    private static func backslashes(before end: Int, in list: Bytes) -> Int {
        list[..<end].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    }

    private static func withoutWhiteSpace(_ element: Bytes) -> Bytes {
        let isWhiteSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let last = element.lastIndex(where: { !isWhiteSpace($0) }) else { return element.prefix(0) }
        return element[...last].drop(while: isWhiteSpace)
    }
}
