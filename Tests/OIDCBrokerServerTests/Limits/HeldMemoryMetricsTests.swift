// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import OIDCBroker
import OIDCBrokerOperations
import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// The memory for clients in the log and the metrics of a server.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct HeldMemoryMetricsTests {
    @Test func `the start says how many idle connections fit, and the metrics say what each row holds`() async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: Logger.Metadata.self)
        var options = RunningServer.Options()
        options.isSecure = false
        options.requestLimits.memoryBytes = 96 << 20
        options.logger = .recording { event in
            guard event.message.description.hasPrefix("memory for clients") else { return }
            continuation.yield(event.metadata ?? [:])
        }
        try await RunningServer.run(options) { server in
            var iterator = lines.makeAsyncIterator()
            let first = await iterator.next()
            let line = try #require(first)
            #expect(line["auth.bytes"] == "100663296")
            #expect(line["auth.idle_connections"] == "3072")
            let memory = server.broker.memory
            for (index, row) in HeldMemory.allCases.dropFirst().enumerated() {
                #expect(memory.take(index + 1, of: row, for: nil) == nil)
            }
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                let samples = server.server.connectionSamples.samples().filter { $0.name.hasPrefix("auth_memory") }
                let values = samples.map { "\($0.name) \($0.labels.map(\.value)) \($0.value)" }
                #expect(
                    values == [
                        #"auth_memory_bytes ["connections"] 32768.0"#, #"auth_memory_bytes ["responses"] 1.0"#,
                        #"auth_memory_bytes ["bodies"] 2.0"#, #"auth_memory_bytes ["longBodies"] 3.0"#,
                        #"auth_memory_bytes ["requests"] 4.0"#, #"auth_memory_bytes ["values"] 5.0"#,
                        #"auth_memory_bytes ["attempts"] 6.0"#, #"auth_memory_bytes ["log"] 7.0"#,
                        #"auth_memory_bytes ["audit"] 8.0"#, "auth_memory_maximum_bytes [] 100663296.0",
                    ])
            }
        }
    }
}
