// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The text with which a provider explains an error, in a form that is safe to log: printable ASCII without values that
/// the request carried, tokens and email addresses, cut to 200 bytes.
///
/// A provider may repeat what it was sent. What is hidden is found by its parts of eight bytes, so that a value that is cut
/// off is found as well.
package enum ShownExplanation {
    /// The maximum length, in bytes.
    package static let maximumLength = 200

    /// The maximum length of a text that is looked at, in bytes.
    private static let longestText = 4096
    /// The length of the parts by which a value is found.
    private static let partLength = 8
    /// The minimum length of a value that is hidden. A shorter one is part of too many words.
    private static let shortestValue = 3
    private static let mark = Array("[hidden]".utf8)

    /// Returns the text; `nil` if nothing of it can be shown.
    /// - Parameter values: The values that are not shown, as they were before the form was encoded.
    package static func text(_ text: String, hiding values: [String]) -> String? {
        let bytes = Array(text.utf8.lazy.filter(isShown).prefix(longestText))
        var isHidden = [Bool](repeating: false, count: bytes.count)
        hide(values, in: bytes, &isHidden)
        hideTokens(in: bytes, &isHidden)
        hideAddresses(in: bytes, &isHidden)
        var shown: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            guard isHidden[index] else {
                // A quote would end the text in a log, and `=` look like a field of a line.
                shown.append(byte == UInt8(ascii: "'") ? UInt8(ascii: "`") : byte == equals ? UInt8(ascii: ":") : byte)
                continue
            }
            if index == 0 || !isHidden[index - 1] { shown += mark }
        }
        let cut = String(decoding: shown.prefix(maximumLength), as: UTF8.self)
        return cut.utf8.allSatisfy { $0 == UInt8(ascii: " ") } ? nil : cut
    }

    private static let equals = UInt8(ascii: "=")

    private static func isShown(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func hide(_ values: [String], in bytes: [UInt8], _ isHidden: inout [Bool]) {
        var parts: Set<ArraySlice<UInt8>> = []
        for value in values {
            for form in Set([value, FormURLEncoding.percentEncode(value)]) {
                let value = form.utf8.filter(isShown)
                guard value.count >= shortestValue else { continue }
                guard value.count > partLength else {
                    hide(value[...], in: bytes, &isHidden)
                    continue
                }
                for start in 0...(value.count - partLength) { parts.insert(value[start..<(start + partLength)]) }
            }
        }
        guard !parts.isEmpty, bytes.count >= partLength else { return }
        for start in 0...(bytes.count - partLength) where parts.contains(bytes[start..<(start + partLength)]) {
            for index in start..<(start + partLength) { isHidden[index] = true }
        }
    }

    private static func hide(_ value: ArraySlice<UInt8>, in bytes: [UInt8], _ isHidden: inout [Bool]) {
        guard bytes.count >= value.count else { return }
        for start in 0...(bytes.count - value.count) where bytes[start...].starts(with: value) {
            for index in start..<(start + value.count) { isHidden[index] = true }
        }
    }

    /// Hides what begins as the base64url of a JSON object, as JSON Web Tokens do.
    private static func hideTokens(in bytes: [UInt8], _ isHidden: inout [Bool]) {
        var start = 0
        while start < bytes.count {
            guard bytes[start...].starts(with: "eyJ".utf8) else {
                start += 1
                continue
            }
            while start < bytes.count, isOfToken(bytes[start]) {
                isHidden[start] = true
                start += 1
            }
        }
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Hides each `@`, also one that is percent-encoded, with what stands on both sides of it.
    private static func hideAddresses(in bytes: [UInt8], _ isHidden: inout [Bool]) {
        for at in bytes.indices {
            let isEncoded = bytes[at...].starts(with: "%40".utf8)
            guard !isHidden[at], bytes[at] == UInt8(ascii: "@") || isEncoded else { continue }
            var start = at
            while start > 0, isOfAddress(bytes[start - 1]) { start -= 1 }
            var end = at + (isEncoded ? 3 : 1)
            while end < bytes.count, isOfAddress(bytes[end]) { end += 1 }
            for index in start..<end { isHidden[index] = true }
        }
    }

    /// Whether an address does not end at this byte.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "&"), equals:
            false
        default: true
        }
    }
}
