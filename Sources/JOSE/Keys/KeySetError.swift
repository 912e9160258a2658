// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not a usable key set.
package enum KeySetError: Error, Hashable, CustomStringConvertible {
    /// The text is longer than 512 KB.
    case tooLong
    /// The set has more than 100 keys.
    case tooManyKeys
    /// The object has no array `keys` (RFC 7517 section 5.1).
    case noKeys
    /// The text is not a JSON object.
    case json(JSONError)

    package var description: String {
        switch self {
        case .tooLong: "key set longer than \(KeySet.longestText) bytes"
        case .tooManyKeys: "key set with more than \(KeySet.mostKeys) keys"
        case .noKeys: "key set without keys"
        case .json(let error): "key set: \(error)"
        }
    }
}
