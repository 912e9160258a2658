// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import OIDCBrokerOperations

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The file of an audit, on real files.
struct AuditFileTests {
    private let folder: LogFolder

    init() throws {
        folder = try LogFolder()
    }

    private func open() throws -> AuditFile { try AuditFile(path: folder.file("audit")) }

    /// Writes a line, and expects that it is written.
    private func write(_ text: String, to file: AuditFile) {
        #expect(file.write(LineBatch([Array((text + "\n").utf8)])) == LogWriteResult(written: 1))
    }

    @Test func `lines are appended by one write, and a line that a full disk tore is ended before the next`() throws {
        let writes = Mutex<[Int]>([])
        let file = try AuditFile(path: folder.file("audit")) { bytes, descriptor in
            let number = writes.withLock { writes in
                writes.append(bytes.count)
                return writes.count
            }
            switch number {
            case 2: return DescriptorWrite.some(of: .init(rebasing: bytes.prefix(4)), to: descriptor, patience: 0)
            case 3: return .failure(LogFailure("write", ENOSPC))
            default: return DescriptorWrite.some(of: bytes, to: descriptor, patience: 0)
            }
        }
        let lines = ["1\n", "22\n", "333\n"].map { Array($0.utf8) }
        #expect(file.write(LineBatch(lines)) == LogWriteResult(written: 3))
        #expect(file.write(LineBatch(lines)) == LogWriteResult(written: 1, failure: LogFailure("write", ENOSPC)))
        #expect(file.write(LineBatch(lines)) == LogWriteResult(written: 3))
        #expect(writes.withLock { $0 } == [9, 9, 5, 10])
        #expect(try folder.text("audit") == "1\n22\n333\n1\n22\n1\n22\n333\n")
    }

    @Test func `a file is made for its owner and its group, and appended to`() throws {
        write("one", to: try open())
        write("two", to: try open())
        #expect(try folder.text("audit") == "one\ntwo\n")
        #expect(folder.mode("audit") == 0o640)
    }

    @Test func `the permissions of a file that is made do not depend on the mask of the process`() throws {
        // Every usual mask takes writing from others.
        try AppendedFile(path: folder.file("audit"), mode: 0o666).end()
        #expect(folder.mode("audit") == 0o666)
    }

    @Test func `a file that is there keeps its permissions`() throws {
        try folder.write("audit", "", mode: 0o600)
        write("one", to: try open())
        #expect(folder.mode("audit") == 0o600)
    }

    @Test func `a link leads to the file, which may not exist yet`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("audit"), withDestinationPath: folder.file("elsewhere"))
        let file = try open()
        write("one", to: file)
        #expect(try folder.text("elsewhere") == "one\n")
        #expect(folder.mode("elsewhere") == 0o640)
        write("two", to: file)
        #expect(try folder.text("elsewhere") == "one\ntwo\n")
    }

    @Test func `a line that was torn before is ended first`() throws {
        try folder.write("audit", "whole\nhal")
        write("one", to: try open())
        #expect(try folder.text("audit") == "whole\nhal\none\n")
    }

    @Test func `a file that was renamed is written until it is to be reopened`() throws {
        let file = try open()
        write("one", to: file)
        #expect(rename(folder.file("audit"), folder.file("audit.1")) == 0)
        write("two", to: file)
        #expect(try folder.text("audit.1") == "one\ntwo\n")
        #expect(folder.mode("audit") == nil)
        file.reopen()
        #expect(file.reopenIfWanted() == nil)
        #expect(folder.mode("audit") == 0o640)
        write("three", to: file)
        #expect(try folder.text("audit.1") == "one\ntwo\n")
        #expect(try folder.text("audit") == "three\n")
    }

    @Test func `a new file at the path is found without being told`() throws {
        let file = try open()
        write("one", to: file)
        #expect(rename(folder.file("audit"), folder.file("audit.1")) == 0)
        try folder.write("audit", "")
        write("two", to: file)
        #expect(try folder.text("audit.1") == "one\n")
        #expect(try folder.text("audit") == "two\n")
    }

    @Test func `a file that was removed is made again`() throws {
        let file = try open()
        write("one", to: file)
        #expect(unlink(folder.file("audit")) == 0)
        write("two", to: file)
        #expect(try folder.text("audit") == "two\n")
        #expect(folder.mode("audit") == 0o640)
    }

    @Test func `a file that was truncated is appended to from its new end`() throws {
        let file = try open()
        write("one", to: file)
        #expect(truncate(folder.file("audit"), 0) == 0)
        write("two", to: file)
        #expect(try folder.text("audit") == "two\n")
    }

    @Test func `without its folder the file takes nothing, and comes back with it`() throws {
        let file = try open()
        write("one", to: file)
        folder.remove()
        let lost = file.write(LineBatch([Array("two\n".utf8)]))
        #expect(lost == LogWriteResult(written: 0, failure: LogFailure("open", ENOENT)))
        try folder.make()
        write("three", to: file)
        #expect(try folder.text("audit") == "three\n")
    }

    @Test func `with a directory in its place the old file is written, and the problem is reported`() throws {
        let file = try open()
        #expect(rename(folder.file("audit"), folder.file("audit.1")) == 0)
        try FileManager.default.createDirectory(
            atPath: folder.file("audit"), withIntermediateDirectories: false)
        let result = file.write(LineBatch([Array("one\n".utf8)]))
        #expect(result == LogWriteResult(written: 1, failure: LogFailure("open", EISDIR)))
        #expect(try folder.text("audit.1") == "one\n")
        #expect(rmdir(folder.file("audit")) == 0)
        file.reopen()
        write("two", to: file)
        #expect(try folder.text("audit") == "two\n")
    }

    @Test func `a reopening that failed is tried again`() throws {
        let file = try open()
        #expect(rename(folder.file("audit"), folder.file("audit.1")) == 0)
        let link = folder.file("audit")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("no/such/file"))
        file.reopen()
        #expect(file.reopenIfWanted() == LogFailure("open", ENOENT))
        #expect(unlink(link) == 0)
        #expect(file.reopenIfWanted() == nil)
        #expect(folder.mode("audit") == 0o640)
    }

    #if os(Linux)
        @Test func `a disk that was full takes lines again`() throws {
            let link = folder.file("audit")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
            let file = try open()
            for _ in 0..<3 {
                let lost = file.write(LineBatch([Array("lost\n".utf8)]))
                #expect(lost == LogWriteResult(written: 0, failure: LogFailure("write", ENOSPC)))
            }
            #expect(unlink(link) == 0)
            try folder.write("audit", "")
            write("one", to: file)
            #expect(try folder.text("audit") == "one\n")
        }
    #endif

    @Test func `a named pipe without a reader does not hold the start`() throws {
        #expect(mkfifo(folder.file("audit"), 0o600) == 0)
        #expect(throws: LogFailure("open", ENXIO)) { try open() }
    }

    @Test func `a file that cannot be opened fails at once`() throws {
        #expect(throws: LogFailure("open", ENOENT)) { try AuditFile(path: folder.file("no/audit")) }
        #expect(throws: LogFailure("open", EISDIR)) { try AuditFile(path: folder.path) }
    }
}
