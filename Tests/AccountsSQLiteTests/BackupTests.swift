// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import AccountsSQLite
    import Foundation
    import Testing

    /// Copies of a database that is used.
    struct BackupTests: OpeningSuite {
        @Test func `a backup is a database that opens, and never overwrites a file`() async throws {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            try store.backup(to: path + ".copy")
            #expect(try mode(path + ".copy") == 0o600)
            #expect(code(path + ".copy") == nil)
            let error = #expect(throws: SQLiteAccountStoreError.self) { try store.backup(to: path + ".copy") }
            #expect(error?.code == .cannotOpen)
            #expect(FileManager.default.fileExists(atPath: path + ".copy"))
            try await store.shutdown()
        }

        @Test func `a backup that fails leaves no file, and can be repeated`() async throws {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            try await store.shutdown()
            let before = try files(beside: path)
            for _ in 0..<2 {
                let error = #expect(throws: SQLiteAccountStoreError.self) { try store.backup(to: path + ".copy") }
                #expect(error?.description == "the copy cannot be written")
                #expect(try files(beside: path) == before)
            }
        }
    }
#endif
