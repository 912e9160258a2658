// SPDX-License-Identifier: Apache-2.0

#if Server || SQLite || PostgreSQL
    import JOSE

    /// JSON that a terminal can show whatever is in it: strict JSON of printable ASCII, everything else as `\u` escapes.
    enum TerminalJSON {
        /// Returns an object with a member on each line.
        static func text(_ object: JSONObject) -> String {
            guard object.count > 0 else { return "{}" }
            let members = object.members.map { member in
                "  \(escaped(JSONValue.text(member.name))): \(escaped(member.value))"
            }
            return "{\n" + members.joined(separator: ",\n") + "\n}"
        }

        /// Returns a value on one line.
        static func escaped(_ value: JSONValue) -> String {
            // The serializer has escaped the control characters below the space. What else is not ASCII is inside a string.
            var text = ""
            for scalar in String(decoding: value.serialized(), as: UTF8.self).unicodeScalars {
                if (0x20...0x7E).contains(scalar.value) {
                    text.unicodeScalars.append(scalar)
                } else {
                    for unit in String(scalar).utf16 {
                        let digits = String(unit, radix: 16)
                        text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
                    }
                }
            }
            return text
        }
    }
#endif
