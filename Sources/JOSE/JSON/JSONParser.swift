// SPDX-License-Identifier: Apache-2.0

/// A strict JSON parser (RFC 8259) for untrusted text.
///
/// Beyond the grammar, it refuses duplicate names in an object (two readers could see two different tokens), bytes that
/// are not UTF-8, escapes of unpaired surrogates, a byte order mark, and anything after the value. It takes linear time
/// and does not recurse.
package enum JSONParser {
    /// Parses one value.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - limits: The limits on the text.
    /// - Throws: ``JSONError``.
    package static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else { throw .tooLong }
        let depth = min(limits.maximumDepth, JSONLimits.deepest)
        return try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> JSONValue in
            var scanner = JSONScanner(bytes: buffer, maximumDepth: depth)
            return try scanner.document()
        }
    }

    /// Parses one value, which must be an object.
    ///
    /// - Throws: ``JSONError``; ``JSONError/notAnObject`` for any other value.
    package static func object(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONObject {
        guard case .object(let object) = try parse(bytes, limits: limits) else { throw .notAnObject }
        return object
    }
}
