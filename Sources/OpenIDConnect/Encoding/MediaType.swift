// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The media type of a Content-Type field (RFC 9110 section 8.3.1).
package enum MediaType {
    /// The maximum length of a field, in bytes.
    private static let longest = 256

    /// Returns the type and subtype in lower case, without parameters. Empty if there is no field, or it is longer than
    /// 256 bytes or not ASCII.
    package static func essence(of contentType: String?) -> String {
        guard let text = contentType.flatMap({ WireText($0).ascii(atMost: longest) }) else { return "" }
        let type = text.prefix { $0 != ";" }.drop { $0 == " " || $0 == "\t" }
        return type.prefix { $0 != " " && $0 != "\t" }.lowercased()
    }
}
