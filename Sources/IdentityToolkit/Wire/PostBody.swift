// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The member `postBody` of a sign-in: pairs like those of a form, but written by SDKs that do not agree on how.
///
/// JavaScript percent-encodes it and may begin it with `&`; the SDKs for Apple's systems and C++ write it without any
/// encoding. No SDK writes a space as `+`, so `+` is a plus sign. A `user` that begins with `{` is JSON as it is, up to
/// the end of the body, since a name may hold every character that separates pairs.
///
/// One writer wrote the body, so all of it is percent-encoded or none of it. It is not if it holds a byte that no
/// percent-encoding leaves as it is (RFC 3986 section 2), or a percent sign that begins no escape; every percent sign
/// is then kept.
struct PostBody: Sendable {
    /// A key that is read. Others are ignored.
    enum Key: String, Sendable, Hashable, RegisteredName {
        case idToken = "id_token"
        case accessToken = "access_token"
        case oauthTokenSecret = "oauth_token_secret"
        case providerID = "providerId"
        case nonce
        case code
        case identifier
        case user
        case pendingToken
    }

    /// The maximum length, in bytes.
    static let maximumBytes = 65_536
    /// The maximum number of pairs, known and unknown.
    static let maximumPairs = 100

    private var values: [Key: WireText] = [:]

    /// Reads a body in linear time.
    init(_ text: WireText) throws(ToolkitError) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw ToolkitError(.invalidArgument, "postBody is longer than 64 KB.")
        }
        let bytes = Array(text.utf8)
        let isEncoded = Self.isPercentEncoded(bytes)
        var count = 0
        var start = 0
        while start < bytes.count {
            var end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            if end > start {
                count += 1
                guard count <= Self.maximumPairs else {
                    throw ToolkitError(.invalidArgument, "postBody has more than \(Self.maximumPairs) values.")
                }
                let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
                if let key = Self.key(bytes[start..<equals]) {
                    let beginning = min(equals + 1, end)
                    if key == .user, beginning < end, bytes[beginning] == UInt8(ascii: "{") { end = bytes.count }
                    try add(key, bytes[beginning..<end], isEncoded: isEncoded)
                }
            }
            start = end + 1
        }
    }

    /// The value of a key; `nil` if it is absent or empty.
    subscript(key: Key) -> WireText? {
        guard let value = values[key], !value.isEmpty else { return nil }
        return value
    }

    private mutating func add(_ key: Key, _ bytes: ArraySlice<UInt8>, isEncoded: Bool) throws(ToolkitError) {
        guard let value = WireText(utf8: isEncoded ? Self.decoded(bytes)[...] : bytes) else {
            throw ToolkitError(.invalidArgument, "\(key.rawValue) in postBody is not UTF-8.")
        }
        guard values.updateValue(value, forKey: key) == nil else {
            throw ToolkitError(.invalidArgument, "\(key.rawValue) is in postBody twice.")
        }
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> Key? {
        guard bytes.count <= Key.longestName, let name = WireText(utf8: bytes) else { return nil }
        return Key(wire: name)
    }

    // MARK: Percent-encoding

    private static func isPercentEncoded(_ bytes: [UInt8]) -> Bool {
        for (position, byte) in bytes.enumerated() {
            if isNeverLeft(byte) { return false }
            if byte == UInt8(ascii: "%"), escape(in: bytes[...], at: position) == nil { return false }
        }
        return true
    }

    /// Whether a byte is not a character of a URL.
    private static func isNeverLeft(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F...0xFF: true
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"): true
        case UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"): true
        default: false
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            if let byte = escape(in: bytes, at: position) {
                decoded.append(byte)
                position += 3
            } else {
                decoded.append(bytes[position])
                position += 1
            }
        }
        return decoded
    }

    /// The byte of the escape that begins at a position; `nil` if none begins there.
    private static func escape(in bytes: ArraySlice<UInt8>, at position: Int) -> UInt8? {
        guard bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.endIndex,
            let high = FormURLEncoding.nibble(bytes[position + 1]),
            let low = FormURLEncoding.nibble(bytes[position + 2])
        else { return nil }
        return high << 4 | low
    }
}
