// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import JOSE
package import OpenIDConnect

/// The body of a form: its fields, and the check of whether it is one, which is a single
/// `application/x-www-form-urlencoded`. The type has no parameters that mean anything, so that none is looked at: a form
/// is UTF-8 whatever a `charset` says (HTML section 4.10.21.8, URL Standard section 5).
package enum FormBody {
    /// The maximum length of the Content-Type of a form, in bytes.
    package static let maximumLength = 256

    /// Whether the fields of a request say that its body is a form.
    package static func isForm(_ fields: HTTPFields) -> Bool {
        let values = fields[values: .contentType]
        guard values.count == 1, values[0].utf8.count <= maximumLength else { return false }
        return values[0].utf8.withContiguousBytes { value in
            isSame(value.prefix { $0 != UInt8(ascii: ";") }, "application/x-www-form-urlencoded")
        }
    }

    /// Returns the value of a field; `nil` if it is absent or empty.
    package static func value(_ name: String, _ form: Parameters) -> WireText? {
        (try? form.nonEmptyValue(name)) ?? nil
    }

    /// Whether a part is the given text in any case, ignoring white space at its ends.
    private static func isSame(_ part: Slice<UnsafeBufferPointer<UInt8>>, _ text: StaticString) -> Bool {
        var part = part.drop(while: isSpace)
        while let last = part.last, isSpace(last) { part.removeLast() }
        guard part.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { part.elementsEqual($0, by: { isSame($0, $1) }) }
    }

    private static func isSame(_ byte: UInt8, _ expected: UInt8) -> Bool {
        byte == expected || ((0x41...0x5A).contains(byte) && byte | 0x20 == expected)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
