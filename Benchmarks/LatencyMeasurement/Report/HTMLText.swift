// SPDX-License-Identifier: Apache-2.0

/// Text in HTML.
package enum HTMLText {
    /// The text so that it is text in an element and in a quoted attribute.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
