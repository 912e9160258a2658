// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a target file.
package enum TargetFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is not the JSON that a target file is; what the decoder said.
    case malformed(String)
    /// A member that no target file has: a misspelling would otherwise do nothing.
    case unknownMember(String)
    /// A variable that nobody gives a value.
    case unknownVariable(String)
    /// A member that does not fit the others.
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
