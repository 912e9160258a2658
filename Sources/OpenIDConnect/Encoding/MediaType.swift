// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The media type of a Content-Type field (RFC 9110 section 8.3.1).
package enum MediaType {
    /// The longest field that is read, bytes.
    private static let longest = 256

    /// The type and subtype in lower case, without parameters; empty where there is no field, or one that is longer than
    /// 256 bytes or not ASCII.
    package static func essence(of contentType: String?) -> String {
        guard let text = contentType.flatMap({ WireText($0).ascii(atMost: longest) }) else { return "" }
        let type = text.prefix { $0 != ";" }.drop { $0 == " " || $0 == "\t" }
        return type.prefix { $0 != " " && $0 != "\t" }.lowercased()
    }
}
