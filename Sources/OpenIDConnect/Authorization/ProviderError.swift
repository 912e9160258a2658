// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// An OAuth error from a provider (RFC 6749 sections 4.1.2.1 and 5.2), made safe to log and to show.
///
/// The code consists of at most 64 letters, digits and `_`, `.`, `:`, `/`, `-`, which suffices for every registered
/// code and every URI-like one. Any other byte is replaced by `?`, so that the result is not a different valid code.
/// The description consists of at most 512 of the characters that RFC 6749 allows (%x20-21, %x23-5B, %x5D-7E); others
/// are removed.
public struct ProviderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The `error`, for example `access_denied`.
    public let code: String
    /// The `error_description`; `nil` if it is absent.
    public let errorDescription: String?

    package init(code: WireText, description: WireText?) {
        self.code = String(decoding: code.utf8.prefix(64).map { Self.isOfCode($0) ? $0 : 0x3F }, as: UTF8.self)
        self.errorDescription = description.map {
            String(decoding: $0.utf8.lazy.filter(Self.isOfDescription).prefix(512), as: UTF8.self)
        }
    }

    /// Reads the error in the JSON response of an endpoint (RFC 6749 section 5.2); `nil` if `error` is not a string.
    package init?(response: JSONObject) {
        guard let code = response["error"]?.text, !code.isEmpty else { return nil }
        self.init(code: code, description: response["error_description"]?.text)
    }

    public var description: String { code }

    private static func isOfCode(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        // ASCII has "-", ".", "/", the digits and ":" in this order.
        case UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isOfDescription(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
