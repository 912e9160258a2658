// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not the required JSON, and the place of the error.
///
/// It contains no part of the text, which may hold a token, because errors end up in logs. Two errors are equal if they
/// have the same reason; the offset is not compared, so that `error == .tooDeep` works.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    private let reason: String

    /// The number of bytes before the error, or `nil` if the error concerns the whole text.
    package var offset: Int? { place.value }
    private let place: Uncompared<Int?>

    private init(_ reason: String, offset: Int? = nil) {
        self.reason = reason
        place = Uncompared(offset)
    }

    /// The text has more bytes than ``JSONLimits/maximumBytes``.
    package static let tooLong = JSONError("longer than allowed")
    /// Arrays and objects are nested more deeply than ``JSONLimits/maximumDepth``.
    package static let tooDeep = JSONError("nested deeper than allowed")
    /// An object has two members of the same name (RFC 7515 section 4 and RFC 7519 section 4 allow refusing it).
    package static let duplicateMember = JSONError("member name used twice in one object")
    /// A string contains bytes that are not UTF-8 (RFC 8259 section 8.1).
    package static let invalidUTF8 = JSONError("not UTF-8")
    /// A `\u` escape is an unpaired surrogate (RFC 8259 section 8.2).
    package static let loneSurrogate = JSONError("escape of a lone surrogate")
    /// A number has more than 256 characters.
    package static let numberTooLong = JSONError("number with too many characters")
    /// The text violates the grammar of RFC 8259 in another way: a byte order mark, a trailing byte, a missing comma.
    package static let syntax = JSONError("not JSON")
    /// The text is JSON, but not an object, where an object is required.
    package static let notAnObject = JSONError("not an object")

    /// The same reason with its place in the text.
    func at(_ offset: Int) -> JSONError {
        JSONError(reason, offset: offset)
    }

    package var description: String {
        guard let offset else { return reason }
        return "\(reason) (at byte \(offset))"
    }
}
