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
    @Test
    func `the start says how many idle connections fit, and the metrics say what each row holds, may hold and refused`()
        async throws
    {
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
            let client = IPAddress("192.0.2.1")
            #expect(memory.take(13 << 20, of: .longBodies, for: nil) == .total)
            #expect(memory.take(2 << 20, of: .longBodies, for: client) == .network)
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                let samples = server.server.connectionSamples.samples().filter { $0.name.hasPrefix("auth_memory") }
                let values = samples.map { "\($0.name) \($0.labels.map(\.value)) \($0.value)" }
                #expect(
                    values == [
                        #"auth_memory_bytes ["connections"] 32768.0"#, #"auth_memory_bytes ["responses"] 1.0"#,
                        #"auth_memory_bytes ["bodies"] 2.0"#, #"auth_memory_bytes ["longBodies"] 3.0"#,
                        #"auth_memory_bytes ["requests"] 4.0"#,
                        #"auth_memory_bytes ["values"] 5.0"#,
                        #"auth_memory_bytes ["attempts"] 6.0"#,
                        #"auth_memory_bytes ["log"] 7.0"#,
                        #"auth_memory_bytes ["audit"] 8.0"#,
                        #"auth_memory_limit_bytes ["connections"] 100663296.0"#,
                        #"auth_memory_limit_bytes ["responses"] 100663296.0"#,
                        #"auth_memory_limit_bytes ["bodies"] 50331648.0"#,
                        #"auth_memory_limit_bytes ["longBodies"] 12582912.0"#,
                        #"auth_memory_limit_bytes ["requests"] 50331648.0"#,
                        #"auth_memory_limit_bytes ["values"] 25165824.0"#,
                        #"auth_memory_limit_bytes ["attempts"] 4194304.0"#,
                        #"auth_memory_limit_bytes ["log"] 12582912.0"#,
                        #"auth_memory_limit_bytes ["audit"] 12582912.0"#,
                        #"auth_memory_share_bytes ["connections"] 100663296.0"#,
                        #"auth_memory_share_bytes ["responses"] 12582912.0"#,
                        #"auth_memory_share_bytes ["bodies"] 1048576.0"#,
                        #"auth_memory_share_bytes ["longBodies"] 1048576.0"#,
                        #"auth_memory_share_bytes ["requests"] 12582912.0"#,
                        #"auth_memory_share_bytes ["values"] 100663296.0"#,
                        #"auth_memory_share_bytes ["attempts"] 100663296.0"#,
                        #"auth_memory_share_bytes ["log"] 100663296.0"#,
                        #"auth_memory_share_bytes ["audit"] 100663296.0"#,
                        #"auth_memory_refused ["connections"] 0.0"#,
                        #"auth_memory_refused ["responses"] 0.0"#,
                        #"auth_memory_refused ["bodies"] 0.0"#,
                        #"auth_memory_refused ["longBodies"] 2.0"#,
                        #"auth_memory_refused ["requests"] 0.0"#,
                        #"auth_memory_refused ["values"] 0.0"#,
                        #"auth_memory_refused ["attempts"] 0.0"#,
                        #"auth_memory_refused ["log"] 0.0"#,
                        #"auth_memory_refused ["audit"] 0.0"#,
                        "auth_memory_maximum_bytes [] 100663296.0",
                    ])
            }
        }
    }
}
