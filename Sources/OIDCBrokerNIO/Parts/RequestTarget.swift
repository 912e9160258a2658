// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A request target as received, without any decoding (RFC 9112 section 3.2). An absolute-form target is split into its
/// parts.
package struct RequestTarget: Sendable, Hashable {
    /// The path and query exactly as received. A target that is in neither origin form nor absolute form (`*`,
    /// `host:port`) is unchanged; it does not begin with `/`, so it is not the broker's.
    package let path: String

    /// The authority of an absolute-form target; `nil` otherwise. It takes precedence over `Host` (RFC 9112 section
    /// 3.2.2).
    package let authority: String?

    /// Creates a target that may be in absolute form, as in an HTTP/1.1 request line.
    package init(requestLine target: String) {
        guard target.utf8.first != UInt8(ascii: "/"), let start = Self.startOfAuthority(in: target) else {
            self.path = target
            self.authority = nil
            return
        }
        let rest = target[start...]
        let end =
            rest.utf8.firstIndex {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
            } ?? rest.endIndex
        self.authority = String(rest[..<end])
        // An empty path is equivalent to "/" (RFC 9112 section 3.2.1).
        self.path = rest[end...].utf8.first == UInt8(ascii: "/") ? String(rest[end...]) : "/" + rest[end...]
    }

    /// Creates a target that is not in absolute form, such as `:path` in HTTP/2.
    package init(path: String) {
        self.path = path
        self.authority = nil
    }

    /// Whether the target contains a fragment, which a request target must not. A router that matches routes on it
    /// would match another path than intended (GHSA-pxq7-h93f-9jrg).
    var hasFragment: Bool {
        // Uses the C library's search, because the target of a callback has about a thousand characters.
        self.path.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, Int32(UInt8(ascii: "#")), bytes.count) != nil } ?? false
        } ?? self.path.utf8.contains(UInt8(ascii: "#"))
    }

    /// The index after `http://` or `https://`, in any case; `nil` if there is neither.
    private static func startOfAuthority(in target: String) -> String.Index? {
        for scheme in ["http://", "https://"] {
            let start = target.utf8.prefix(scheme.utf8.count)
            // Bit 5 makes ASCII letters lower case, and changes neither `:` nor `/`.
            if start.count == scheme.utf8.count, zip(start, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 }) {
                return start.endIndex
            }
        }
        return nil
    }
}
