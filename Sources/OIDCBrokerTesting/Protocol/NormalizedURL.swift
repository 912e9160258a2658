// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The URL of a proof after syntax-based and scheme-based normalization (RFC 3986 sections 6.2.2 and 6.2.3), by which it is
/// compared (RFC 9449 section 4.3).
struct NormalizedURL: Sendable, Hashable {
    private let origin: WireText
    private let path: [UInt8]

    /// - Returns: `nil` if the text is no URL of http or https, or has a query or a fragment.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let url = AbsoluteURL(parts[0].lowercased() + ":" + parts[1]), url.query == nil,
            let path = Self.decodingUnreserved(Array(url.path.utf8))
        else { return nil }
        origin = WireText(url.origin)
        self.path = Self.withoutDotSegments(path)
    }

    /// The path with every unreserved character as itself, and all other escapes in capital letters; `nil` if an escape is
    /// none.
    private static func decodingUnreserved(_ path: [UInt8]) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = path[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            rest.removeFirst(2)
            switch UnicodeScalar(value) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": decoded.append(value)
            default: decoded += "%\(digits.uppercased())".utf8
            }
        }
        return decoded
    }

    /// The path without `.` and `..` (RFC 3986 section 5.2.4); an empty one is `/`.
    private static func withoutDotSegments(_ path: [UInt8]) -> [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        var endsInDots = false
        for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            let isParent = segment.elementsEqual("..".utf8)
            endsInDots = isParent || segment.elementsEqual(".".utf8)
            if isParent { _ = segments.popLast() }
            if !endsInDots { segments.append(segment) }
        }
        if endsInDots || segments.isEmpty { segments.append([]) }
        return segments.flatMap { "/".utf8 + $0 }
    }
}
