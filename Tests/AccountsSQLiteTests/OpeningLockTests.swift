// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import GRDB
    import Foundation
    import NIOCore
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    @testable import AccountsSQLite

    /// The lock under which a database is made. It belongs to an open file, so that another one of this process does for
    /// another process.
    struct OpeningLockTests: OpeningSuite {
        private func held(_ path: String) throws -> OpeningLock {
            try OpeningLock(of: path, now: { .distantPast }, pause: {})
        }

        @Test func `another process is waited for`() async throws {
            let path = try path()
            let other = try held(path)
            var pauses = 0
            let store = try SQLiteAccountStore.open(
                path: path, project: "test", busyMode: .immediateError, now: { .distantPast },
                pause: {
                    pauses += 1
                    if pauses == 3 { other.end() }
                })
            #expect(pauses == 3)
            try await store.shutdown()
        }

        @Test func `another process is waited for ten seconds long, and then the opening is refused`() throws {
            let path = try path()
            let other = try held(path)
            let time = ElapsedTime()
            var pauses = 0
            var code: SQLiteAccountStoreError.Code?
            do {
                _ = try SQLiteAccountStore.open(
                    path: path, project: "test", busyMode: .immediateError, now: { time.now },
                    pause: {
                        pauses += 1
                        time.pass(.seconds(1))
                    })
            } catch {
                code = error.code
            }
            #expect(code == .cannotOpen)
            #expect(pauses == 10)
            other.end()
            #expect(self.code(path) == nil)
        }

        @Test func `the lock is free once the database is open`() async throws {
            let path = try path()
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            let time = ElapsedTime()
            try OpeningLock(of: path, now: { time.now }, pause: { time.pass(.seconds(10)) }).end()
            #expect(time.now == .distantPast)
            try await store.shutdown()
        }

        @Test func `a symbolic link in its place is refused, and what it leads to is not made`() throws {
            let path = try path()
            let victim = path + ".victim"
            try FileManager.default.createSymbolicLink(atPath: path + ".lock", withDestinationPath: victim)
            #expect(code(path) == .cannotOpen)
            #expect(!FileManager.default.fileExists(atPath: victim))
        }

        @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
        func `what root makes belongs to the owner of the database`() throws {
            let path = try path()
            #expect(code(path) == nil)
            try FileManager.default.removeItem(atPath: path + ".lock")
            let given = chown(path, 4711, 4712)
            #expect(given == 0)
            #expect(code(path) == nil)
            var status = stat()
            let found = stat(path + ".lock", &status)
            #expect(found == 0)
            #expect(status.st_uid == 4711 && status.st_gid == 4712)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }
#endif
