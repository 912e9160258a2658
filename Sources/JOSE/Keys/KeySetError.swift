// SPDX-License-Identifier: Apache-2.0

/// Why a text is no usable key set.
package enum KeySetError: Error, Hashable, CustomStringConvertible {
    /// More than 512 KB.
    case tooLong
    /// More than 100 keys.
    case tooManyKeys
    /// No array `keys` (RFC 7517 section 5.1).
    case noKeys
    /// Not a JSON object.
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
