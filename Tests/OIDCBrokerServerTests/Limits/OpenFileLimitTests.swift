// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerServer

/// The limit of the system on open files, and the connections for which it leaves room.
struct OpenFileLimitTests {
    @Test(
        arguments: [
            (1, 1), (2, 2), (3, 3), (4, 3), (16, 12), (256, 192), (1024, 768), (2048, 1536), (2052, 1540),
            (4096, 3584), (10_512, 10_000), (1_048_576, 1_048_064), (Int.max, Int.max - 512), (0, 1), (-1, 1),
        ])
    func `a quarter is kept for other files, 512 at most`(files: Int, connections: Int) {
        #expect(OpenFileLimit.connections(of: files) == connections)
    }

    @Test func `a warning names the figures if the configuration allows more`() throws {
        let warning = try #require(OpenFileLimit.warning(configured: 10_000, files: 1024))
        #expect(warning.contains("10000") && warning.contains("1024") && warning.contains("768"))
        #expect(OpenFileLimit.warning(configured: 768, files: 1024) == nil)
        #expect(OpenFileLimit.warning(configured: 769, files: 1024) != nil)
    }

    @Test func `the places of the loopback listener are kept too`() throws {
        #expect(OpenFileLimit.connections(of: 1024, keeping: 64) == 704)
        #expect(OpenFileLimit.connections(of: Int.max, keeping: 64) == Int.max - 576)
        #expect(OpenFileLimit.warning(configured: 704, files: 1024, keeping: 64) == nil)
        let warning = try #require(OpenFileLimit.warning(configured: 705, files: 1024, keeping: 64))
        #expect(warning.contains("1024") && warning.contains("704"))
    }

    @Test(
        arguments: [
            (1, 1), (3, 1), (4, 1), (64, 16), (85, 21), (255, 63), (256, 64), (1024, 64), (Int.max, 64), (0, 1),
            (-1, 1),
        ])
    func `they are a quarter at most, so that a low limit leaves some to each listener`(files: Int, places: Int) {
        #expect(OpenFileLimit.places(of: files, wanted: 64) == places)
        #expect(OpenFileLimit.places(of: files, wanted: 0) == 0)
        let others = OpenFileLimit.connections(of: files, keeping: places)
        #expect(others >= min(files / 2, 256))
        #expect(others >= 1)
    }

    @Test func `the limit is known`() {
        #expect(OpenFileLimit.current > 0)
    }
}
