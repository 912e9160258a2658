// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Foundation
    import AccountsTestSupport
    import GRDB

    @testable import AccountsSQLite

    /// A suite about files that are opened.
    protocol OpeningSuite {}

    extension OpeningSuite {
        /// What tells a database of accounts from any other.
        static var ownApplication: String { "PRAGMA application_id = \(SQLiteSchema.applicationID);" }

        /// The path of a missing file, in its own folder.
        func path() throws -> String { try TemporaryStore.makeFolder() + "/accounts.sqlite" }

        /// Opens a file.
        /// - Returns: Why it was refused; `nil` if it was not.
        func code(
            _ path: String, project: String = "test", mayCreate: Bool = true
        ) -> SQLiteAccountStoreError.Code? {
            do {
                _ = try SQLiteAccountStore.open(path: path, project: project, mayCreate: mayCreate)
                return nil
            } catch {
                return error.code
            }
        }

        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }

        /// A file that a store never opened, without a journal of any kind beside it.
        func make(_ path: String, _ sql: String) throws {
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }

        /// The names of the files in the folder, and what they hold. Nothing may be open there.
        func files(beside path: String) throws -> [String: Data] {
            let folder = (path as NSString).deletingLastPathComponent
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return try Dictionary(
                uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
        }
    }
#endif
