// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A request target as it stood in the request, nothing decoded (RFC 9112 section 3.2), with an absolute-form target
/// already taken apart.
package struct RequestTarget: Sendable, Hashable {
    /// Path and query exactly as received. What is neither origin form nor absolute form (`*`, `host:port`) stands
    /// here unchanged: it does not begin with `/` and so belongs to nobody here.
    package let path: String

    /// The authority of an absolute-form target. It takes the place of `Host` (RFC 9112 section 3.2.2).
    package let authority: String?

    /// A target that may be in absolute form, as in an HTTP/1.1 request line.
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
        // RFC 9112 section 3.2.1: an empty path is sent as "/".
        self.path = rest[end...].utf8.first == UInt8(ascii: "/") ? String(rest[end...]) : "/" + rest[end...]
    }

    /// A target that is not in absolute form, as in `:path` of HTTP/2.
    package init(path: String) {
        self.path = path
        self.authority = nil
    }

    /// A fragment never belongs into a request target, and whoever matches routes on it matches something else than
    /// what was meant (GHSA-pxq7-h93f-9jrg).
    var hasFragment: Bool {
        // A byte search of the C library: a callback's target has a thousand characters.
        self.path.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, Int32(UInt8(ascii: "#")), bytes.count) != nil } ?? false
        } ?? self.path.utf8.contains(UInt8(ascii: "#"))
    }

    /// The index behind `http://` or `https://`, in any case.
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
