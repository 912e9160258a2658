// SPDX-License-Identifier: Apache-2.0

/// Why a database of accounts was not opened, with a stable code.
public struct SQLiteAccountStoreError: Error, Hashable, CustomStringConvertible {
    /// The code of an error.
    public enum Code: String, Sendable, Hashable {
        /// The file cannot be made, read or locked.
        case cannotOpen
        /// Others than the owner have access to the file.
        case fileMode
        /// The file is the database of another application.
        case otherApplication
        /// A newer version of this program wrote the database.
        case newerVersion
        /// The database holds the accounts of another project.
        case otherProject
    }

    /// The code.
    public let code: Code
    /// What happened and what to do, without any content of a record.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
