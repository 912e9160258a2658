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

    @Test func `the limit is known`() {
        #expect(OpenFileLimit.current > 0)
    }
}
