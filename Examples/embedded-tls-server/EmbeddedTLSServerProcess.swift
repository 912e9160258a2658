// SPDX-License-Identifier: Apache-2.0

import ExampleServing

@main
struct EmbeddedTLSServerProcess {
    static func main() async throws {
        try await ExampleProcess.run(EmbeddedTLSServer.self, named: "embedded-tls-server")
    }
}
