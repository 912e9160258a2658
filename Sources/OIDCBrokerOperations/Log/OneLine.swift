// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Returns the text as one line, with a space for each control character and line break, cut at a whole scalar.
    /// Errors of a library may have several lines and quote a file.
    /// - Parameter maximumBytes: The maximum length, in bytes.
    package func oneLine(atMost maximumBytes: Int = .max) -> String {
        var line = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= maximumBytes else { break }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}
