// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Testing

@testable import OIDCBrokerServer

/// Processors that may be used.
struct UsableProcessorsTests {
    @Test func `There is at least one, and not more than the control groups allow`() {
        #expect((1...System.coreCount).contains(UsableProcessors.count))
    }

    @Test(
        arguments: [
            ("Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n", 2),
            ("Cpus_allowed:\t00000001\n", 1),
            ("Cpus_allowed:\tff,00000000,00000003\n", 10),
            ("Cpus_allowed_list:\t0-1\n", nil),
            ("Cpus_allowed:\t0\n", nil),
            ("Cpus_allowed:\t3,x\n", nil),
            ("Cpus_allowed:\n", nil),
            ("", nil),
        ] as [(String, Int?)])
    func `The affinity is read from a process's status`(text: String, count: Int?) {
        #expect(UsableProcessors.affinity(inStatus: text) == count)
    }

    #if os(Linux)
        @Test func `A process that is bound to one processor may use that one alone`() throws {
            let own = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let list = try #require(own.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
            let first = try #require(list.dropFirst("Cpus_allowed_list:".count).split { !$0.isNumber }.first)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["taskset", "-c", String(first), "cat", "/proc/self/status"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let status = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(UsableProcessors.affinity(inStatus: status) == 1)
        }
    #endif
}
