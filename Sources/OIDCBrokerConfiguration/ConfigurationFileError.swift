// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The reason why a file that a configuration names was not read.
package enum ConfigurationFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path is empty or contains a NUL.
    case invalidPath
    /// There is a directory.
    case directory
    /// There is something that is neither a file nor a directory, such as a pipe.
    case notRegular
    /// The file has more than ``ConfigurationFile/maximumBytes``.
    case tooLong
    /// The system's error with this number, such as `ENOENT`.
    case system(errorNumber: Int32)

    package var description: String {
        switch self {
        case .invalidPath: "not a path"
        case .directory: "Is a directory"
        case .notRegular: "not a regular file"
        case .tooLong: "larger than 1 MiB"
        case .system(let number): String(cString: strerror(number))
        }
    }

    /// Returns what was expected instead of a file at a path, and the reason: the path, what a relative one is relative
    /// to, and why it was not read.
    /// - Parameters:
    ///   - takes: What the file should be. It completes the sentence "expected …".
    ///   - path: The path.
    ///   - mayBeSecret: Whether the path may be a secret that was written into the wrong key. It is then shown only if it
    ///     begins as a path does.
    package func expected(
        _ takes: String = "a file that can be read", path: String, mayBeSecret: Bool = false
    ) -> String {
        guard mayBeSecret, !["/", "./", "../"].contains(where: path.hasPrefix) else {
            return "\(takes); \(Self.shown(path)): \(self)"
        }
        guard !path.hasPrefix("~/"), !path.hasPrefix("$") else {
            return "\(takes); write the whole path: '~' and variables are not replaced"
        }
        return "\(takes); the value is not shown, since it may be the secret itself "
            + "(begin a relative path with './'): \(self)"
    }

    /// Returns a path as it is shown in an error. A text that cannot be a path may be a secret and is not shown.
    package static func shown(_ path: String) -> String {
        guard path.utf8.count <= longestShown, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return "the value is not a path (for the text itself, use the key without -file)"
        }
        guard !path.hasPrefix("/"), let folder = workingDirectory else { return "'\(path)'" }
        return "'\(path)' (relative to '\(folder)')"
    }

    /// The maximum length of a path that is shown, in bytes.
    private static let longestShown = 1024

    private static var workingDirectory: String? {
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder)
    }
}
