// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A color of pages, written `#rrggbb`.
package struct Color: Sendable, Hashable {
    /// The color as it is written in a stylesheet.
    package let text: String
    /// The relative luminance, 0 to 1 (WCAG 2.2).
    private let luminance: Double

    /// White.
    package static let white = Color(red: 255, green: 255, blue: 255)
    /// Black.
    package static let black = Color(red: 0, green: 0, blue: 0)
    /// The background of the card on a light page.
    static let lightCard = white
    /// The background of the card on a dark page.
    static let darkCard = Color(red: 0x19, green: 0x1D, blue: 0x23)

    private init(red: UInt8, green: UInt8, blue: UInt8) {
        let digits = [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        text = "#" + digits
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Reads a color; `nil` if it is not `#` and six hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            text.utf8.dropFirst().allSatisfy(Self.isDigit),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        case UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }

    /// The contrast ratio of two colors, 1 to 21 (WCAG 2.2).
    package func contrast(with other: Color) -> Double {
        (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
    }
}
