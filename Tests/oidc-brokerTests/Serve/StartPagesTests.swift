// SPDX-License-Identifier: Apache-2.0

#if Server && canImport(Glibc)
    import Foundation
    import Glibc
    import OIDCBrokerOperations
    import Testing

    @testable import oidc_broker

    struct StartPagesTests {
        private static let example = """
            55f1fde14000-55f201089000 r-xp 00000000 fe:00 16228449                   /usr/bin/oidc broker
            Size:              51668 kB
            Rss:               28916 kB
            Anonymous:             0 kB
            VmFlags: rd ex mr mw me sd
            55f201089000-55f20120a000 r--p 03274000 fe:00 16228449                   /usr/bin/oidc broker
            Anonymous:          1540 kB
            55f20120a000-55f2037f4000 rw-p 033f5000 fe:00 16228449                   /usr/bin/oidc broker
            Anonymous:             0 kB
            55f2037f4000-55f20396d000 rw-p 00000000 00:00 0
            Anonymous:             0 kB
            7f17ec000000-7f17ec021000 r--s 00000000 fe:00 333671                     /var/lib/accounts.sqlite-shm
            Anonymous:             0 kB
            7f17ed400000-7f17ed499000 r--p 00000000 fe:00 333671                     /usr/lib/libstdc++.so.6.0.30
            Anonymous:             0 kB
            7ffc3a5f1000-7ffc3a5f3000 r-xp 00000000 00:00 0                          [vdso]
            Anonymous:             0 kB
            7f17ed4990zz-7f17ed59a000 r-xp 00099000 fe:00 333671                     /usr/lib/libstdc++.so.6.0.30
            Anonymous:             0 kB
            """

        @Test func `only what is as its file has it, and can only be read, is given back`() {
            #expect(
                StartPages.unmodified(inMappings: Self.example) == [
                    0x55f1_fde1_4000..<0x55f2_0108_9000, 0x7f17_ed40_0000..<0x7f17_ed49_9000,
                ])
            #expect(StartPages.unmodified(inMappings: "") == [])
        }

        @Test func `a file that is mapped is given back, and read again when it is needed`() throws {
            let length = 1 << 20
            let content = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 4096) })
            let folder = try TemporaryFolder.make()
            defer { folder.remove() }
            let path = "\(folder.path)/file"
            try content.write(to: URL(filePath: path))
            let descriptor = open(path, O_RDONLY)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let address = try #require(mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0))
            defer { munmap(address, length) }
            let bytes = UnsafeRawBufferPointer(start: address, count: length)
            #expect(bytes.elementsEqual(content))
            let start = UInt(bitPattern: address)
            let range = start..<start + UInt(length)
            #expect(StartPages.unmodified(inMappings: try Self.mappings()).contains(range))
            #expect(try Self.residentKilobytes(at: start) == length / 1024)
            StartPages.release([range])
            #expect(try Self.residentKilobytes(at: start) == 0)
            #expect(bytes.elementsEqual(content))
        }

        private static func mappings() throws -> String {
            String(decoding: try #require(ProcessFile.contents("/proc/self/smaps")), as: UTF8.self)
        }

        /// The `Rss` of the mapping that begins at an address.
        private static func residentKilobytes(at start: UInt) throws -> Int? {
            let lines = try mappings().split(separator: "\n")
            let mapping = try #require(lines.firstIndex { $0.hasPrefix("\(String(start, radix: 16))-") })
            let line = try #require(lines[mapping...].first { $0.hasPrefix("Rss:") })
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }
#endif
