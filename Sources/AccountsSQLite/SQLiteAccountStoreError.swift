// SPDX-License-Identifier: Apache-2.0

/// Why a database of accounts was not opened, with a stable code.
public struct SQLiteAccountStoreError: Error, Hashable, CustomStringConvertible {
    /// The code of an error. A later version may have more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The codes, for a `switch` that must know every one of them.
        package enum Value: String, Sendable, CaseIterable {
            case cannotOpen, fileMode, otherApplication, newerVersion, otherProject
        }

        /// Which of the codes it is.
        package let value: Value

        /// Creates a code.
        package init(_ value: Value) { self.value = value }

        /// The file cannot be made, read or locked.
        public static let cannotOpen = Self(.cannotOpen)
        /// Others than the owner have access to the file.
        public static let fileMode = Self(.fileMode)
        /// The file is the database of another application.
        public static let otherApplication = Self(.otherApplication)
        /// A newer version of this program wrote the database.
        public static let newerVersion = Self(.newerVersion)
        /// The database holds the accounts of another project.
        public static let otherProject = Self(.otherProject)

        /// The name of the code, which does not change.
        public var description: String { value.rawValue }
    }

    /// The code.
    public let code: Code
    /// What happened and what to do, without any content of a record.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Returns the same error with the place of the database in front.
    package func at(_ place: String) -> Self { Self(code, "\(place): \(description)") }
}
