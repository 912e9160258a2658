// SPDX-License-Identifier: Apache-2.0

/// The reason why a target file is invalid.
package enum TargetFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not the JSON of a target file, with the decoder's message.
    case malformed(String)
    /// The file contains an unknown member, which may be misspelled.
    case unknownMember(String)
    /// The file contains an unknown variable.
    case unknownVariable(String)
    /// A member contradicts others.
    case contradiction(String)

    package var description: String {
        switch self {
        case .malformed(let reason): "not a target file: \(reason)"
        case .unknownMember(let name): "a target file has no member '\(name)'"
        case .unknownVariable(let name): "the variable ${\(name)} has no value here"
        case .contradiction(let reason): reason
        }
    }
}
