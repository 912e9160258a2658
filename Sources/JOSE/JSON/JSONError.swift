// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the JSON that was asked for, and where.
///
/// Carries no part of the text: an error ends in a log line, the text may hold a token. Two errors are equal if they
/// say the same reason; the offset is not compared, so that `error == .tooDeep` reads as it should.
package struct JSONError: Error, Hashable, CustomStringConvertible {
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

    /// The number of bytes before the place of the fault, or `nil` where the whole text is at fault.
    package let offset: Int?

    private init(_ code: Code, offset: Int? = nil) {
        self.code = code
        self.offset = offset
    }

    /// More bytes than ``JSONLimits/maximumBytes``.
    package static let tooLong = JSONError(.tooLong)
    /// More arrays and objects inside each other than ``JSONLimits/maximumDepth``.
    package static let tooDeep = JSONError(.tooDeep)
    /// One object has two members of the same name (RFC 7515 section 4, RFC 7519 section 4 allow refusing it).
    package static let duplicateMember = JSONError(.duplicateMember)
    /// A string holds bytes that are not UTF-8 (RFC 8259 section 8.1).
    package static let invalidUTF8 = JSONError(.invalidUTF8)
    /// A `\u` escape names half of a surrogate pair (RFC 8259 section 8.2).
    package static let loneSurrogate = JSONError(.loneSurrogate)
    /// A number is written with more than 256 characters.
    package static let numberTooLong = JSONError(.numberTooLong)
    /// Anything else that RFC 8259's grammar does not know: a byte order mark, a trailing byte, a missing comma.
    package static let syntax = JSONError(.syntax)
    /// JSON, but something else than an object where an object is required.
    package static let notAnObject = JSONError(.notAnObject)

    /// The same reason with its place in the text.
    func at(_ offset: Int) -> JSONError {
        JSONError(code, offset: offset)
    }

    package var description: String {
        guard let offset else { return code.rawValue }
        return "\(code.rawValue) (at byte \(offset))"
    }

    package static func == (left: JSONError, right: JSONError) -> Bool {
        left.code == right.code
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
