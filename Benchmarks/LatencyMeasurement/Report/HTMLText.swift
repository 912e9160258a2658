// SPDX-License-Identifier: Apache-2.0

/// Escaping of text in HTML.
package enum HTMLText {
    /// Returns the text escaped for element content and quoted attributes.
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
