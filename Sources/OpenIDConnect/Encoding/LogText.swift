// SPDX-License-Identifier: Apache-2.0

/// Text from a client or a provider in a form that is safe to log: printable ASCII in double quotes. Such text cannot
/// end the quotes, begin another line, or look like a field in a format of `key=value` lines.
///
/// It works on bytes, so its cost is bounded by the length limit, whatever the text is.
package enum LogText {
    /// The maximum length of a value without the quotes, in bytes. Longer values are truncated.
    package static let maximumLength = 128
    /// The maximum length of a detail without the quotes, in bytes. A detail may contain two values and constant words.
    package static let maximumDetailLength = 512

    /// Returns a value in quotes. Every byte that is not printable ASCII, and each `"`, `\` and `=`, is replaced by
    /// `?`.
    package static func quoted(_ text: String, maximumLength: Int = LogText.maximumLength) -> String {
        "\"" + restricted(text, maximumLength) + "\""
    }

    /// Returns a detail in quotes, or `none` without quotes if there is no detail. No quoted text equals the latter.
    package static func detail(_ text: String?) -> String {
        text.map { quoted($0, maximumLength: maximumDetailLength) } ?? "none"
    }

    /// Returns a value without quotes, as a part of a sentence that is quoted as a whole.
    package static func restricted(_ text: String, _ maximumLength: Int) -> String {
        String(decoding: text.utf8.prefix(maximumLength).map { isAllowed($0) ? $0 : 0x3F }, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            && byte != UInt8(ascii: "=")
    }
}
