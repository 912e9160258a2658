// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not the required JSON, and the place of the error.
///
/// It contains no part of the text, which may hold a token, because errors end up in logs. Two errors are equal if they
/// have the same reason; the offset is not compared, so that `error == .tooDeep` works.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The reason is one byte instead of a text, since every function of the parser returns this error in registers.
    private enum Code: String {
        case tooLong = "longer than allowed"
        case tooDeep = "nested deeper than allowed"
        case duplicateMember = "member name used twice in one object"
        case invalidUTF8 = "not UTF-8"
        case loneSurrogate = "escape of a lone surrogate"
        case numberTooLong = "number with too many characters"
        case syntax = "not JSON"
        case notAnObject = "not an object"
    }

    private let code: Code

    /// The number of bytes before the error, or `nil` if the error concerns the whole text.
    package var offset: Int? { place.value }
    private let place: Uncompared<Int?>

    private init(_ code: Code, offset: Int? = nil) {
        self.code = code
        place = Uncompared(offset)
    }

    /// The text has more bytes than ``JSONLimits/maximumBytes``.
    package static let tooLong = JSONError(.tooLong)
    /// Arrays and objects are nested more deeply than ``JSONLimits/maximumDepth``.
    package static let tooDeep = JSONError(.tooDeep)
    /// An object has two members of the same name (RFC 7515 section 4 and RFC 7519 section 4 allow refusing it).
    package static let duplicateMember = JSONError(.duplicateMember)
    /// A string contains bytes that are not UTF-8 (RFC 8259 section 8.1).
    package static let invalidUTF8 = JSONError(.invalidUTF8)
    /// A `\u` escape is an unpaired surrogate (RFC 8259 section 8.2).
    package static let loneSurrogate = JSONError(.loneSurrogate)
    /// A number has more than 256 characters.
    package static let numberTooLong = JSONError(.numberTooLong)
    /// The text violates the grammar of RFC 8259 in another way: a byte order mark, a trailing byte, a missing comma.
    package static let syntax = JSONError(.syntax)
    /// The text is JSON, but not an object, where an object is required.
    package static let notAnObject = JSONError(.notAnObject)

    /// The same reason with its place in the text.
    func at(_ offset: Int) -> JSONError {
        JSONError(code, offset: offset)
    }

    /// The reason without its place.
    package var reason: String { code.rawValue }

    package var description: String {
        guard let offset else { return reason }
        return "\(reason) (at byte \(offset))"
    }
}
