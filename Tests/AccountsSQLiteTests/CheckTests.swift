// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Foundation
    import Testing

    @testable import AccountsSQLite

    /// What `check-config --live` says of a file.
    struct CheckTests: OpeningSuite {
        private func checked(_ path: String, project: String = "test") -> SQLiteAccountStoreError.Code? {
            do throws(SQLiteAccountStoreError) {
                try SQLiteAccountStore.check(path: path, project: project)
                return nil
            } catch {
                return error.code
            }
        }

        @Test func `a file that a server has to make will do, and is not made`() throws {
            let path = try path()
            #expect(checked(path) == nil)
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(checked(path + "/missing/accounts.sqlite") == .cannotOpen)
        }

        @Test func `a database will do while a server has it open, and that of another project will not`() async throws
        {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            #expect(checked(path) == nil)
            #expect(checked(path, project: "other") == .otherProject)
            try await store.shutdown()
            #expect(checked(path) == nil)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            #expect(checked(path) == .fileMode)
        }

        @Test func `a file that is no database will not do`() throws {
            let path = try path()
            #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 0x41, count: 4096)))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(checked(path) == .cannotOpen)
        }
    }
#endif
