// SPDX-License-Identifier: Apache-2.0

/// Reads JSON strictly (RFC 8259), for text from somebody who may mean harm.
///
/// Refused beyond the grammar: a name used twice in one object (two readers would see two tokens), bytes that are not
/// UTF-8, escapes of lone surrogates, a byte order mark, anything after the value. Time is linear in the text's length,
/// and no recursion depends on its depth.
package enum JSONParser {
    /// Reads one value.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - limits: What it may cost.
    /// - Throws: ``JSONError``.
    package static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else { throw .tooLong }
        let depth = min(limits.maximumDepth, JSONLimits.deepest)
        return try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> JSONValue in
            var scanner = JSONScanner(bytes: buffer, maximumDepth: depth)
            return try scanner.document()
        }
    }

    /// Reads one value that must be an object.
    ///
    /// - Throws: ``JSONError``; ``JSONError/notAnObject`` for any other value.
    package static func object(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONObject {
        guard case .object(let object) = try parse(bytes, limits: limits) else { throw .notAnObject }
        return object
    }
}
