// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The reason why a file with keys was not read or changed. It contains no part of the file.
package enum KeyFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file does not exist, is not a regular file, cannot be read, or is longer than 1 MiB.
    case unreadable
    /// The file contains something else than keys of that kind.
    case unexpectedContents(KeyKind)
    /// There is a file already where a new one was to be made.
    case exists
    /// A file could not be made or replaced, for the system's reason with this number.
    case cannotWrite(errorNumber: Int32)
    /// A new file cannot have the owner and group of the old one.
    case ownerCannotBeKept
    /// Others than the owner and the group may use the file, which a new one would not allow.
    case usableByOthers
    /// The cryptographic library made no key.
    case noKeyMade
    /// Another process is changing the file.
    case busy
    /// The next step is not due before a time, in seconds since 1970.
    case tooEarly(KeyRotation.Step, until: Int64)
    /// No step can be taken.
    case refused(KeyRotation.Refusal)

    /// The status with which a command ends, of `sysexits.h`: 75 for what may succeed later, 78 for a wrong file, and 1
    /// for everything else.
    package var exitStatus: Int32 {
        switch self {
        case .busy, .tooEarly: 75
        case .unreadable, .unexpectedContents, .refused, .usableByOthers: 78
        case .exists, .cannotWrite, .ownerCannotBeKept, .noKeyMade: 1
        }
    }

    package var description: String {
        switch self {
        case .unreadable: "expected the path of a file that can be read, at most 1 MiB"
        case .unexpectedContents(let kind): "expected \(kind.fileTakes)"
        case .exists: "the file exists, and is not replaced"
        case .cannotWrite(let number): "cannot be written: \(String(cString: strerror(number)))"
        case .ownerCannotBeKept:
            "cannot keep its owner and group, so the server could not read it: run this as its owner or as root"
        case .usableByOthers:
            "other users can access this file: first give it to the server's user or group, with mode 0640 or 0600"
        case .noKeyMade: "cannot create a key"
        case .busy: "another process is changing this file"
        case .tooEarly(let step, let time): "too early to \(step.phrase): not before \(time) seconds since 1970"
        case .refused(let refusal): refusal.description
        }
    }
}
