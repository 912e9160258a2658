// SPDX-License-Identifier: Apache-2.0

/// Text that a stranger or a provider wrote, made fit for a log: printable ASCII in double quotes, in which nothing can
/// end the quotes, begin another line or look like a field of its own, whatever writes `key=value` lines of it.
///
/// By bytes: what it costs is bounded by the limit, whatever the text is.
package enum LogText {
    /// The longest value, bytes without the quotes; what is longer is cut.
    package static let maximumLength = 128
    /// The longest detail, which may hold two values and words of ours, bytes without the quotes.
    package static let maximumDetailLength = 512

    /// A value in quotes. Every byte that is not printable ASCII, and each `"`, `\` and `=`, becomes `?`.
    package static func quoted(_ text: String, maximumLength: Int = LogText.maximumLength) -> String {
        "\"" + restricted(text, maximumLength) + "\""
    }

    /// What went wrong, in quotes; `none` without quotes, which no text gives, where there is nothing to say.
    package static func detail(_ text: String?) -> String {
        text.map { quoted($0, maximumLength: maximumDetailLength) } ?? "none"
    }

    /// The same without the quotes, for a part of a sentence that is quoted as a whole.
    package static func restricted(_ text: String, _ maximumLength: Int) -> String {
        String(decoding: text.utf8.prefix(maximumLength).map { isAllowed($0) ? $0 : 0x3F }, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            && byte != UInt8(ascii: "=")
    }
}
