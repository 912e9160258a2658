// SPDX-License-Identifier: Apache-2.0

import JOSE

extension JSONObject {
    /// The object as JSON text for an element `<script type="application/json">`: what could end the element, begin a
    /// comment in it or end a line of a script is written as an escape, which JSON allows only where it stands, in
    /// strings.
    var scriptText: String {
        var text: [UInt8] = []
        let bytes = serialized()
        var position = 0
        while position < bytes.count {
            let rest = bytes[position...]
            if let escape = Self.escapes.first(where: { rest.starts(with: $0.bytes) }) {
                text += escape.text
                position += escape.bytes.count
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return String(validating: text, as: UTF8.self) ?? "{}"
    }

    private static let escapes: [(bytes: [UInt8], text: [UInt8])] = [
        ("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"),
    ].map { (bytes: Array($0.0.utf8), text: Array($0.1.utf8)) }
}
