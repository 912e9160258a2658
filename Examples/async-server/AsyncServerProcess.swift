// SPDX-License-Identifier: Apache-2.0

import ExampleServing

@main
struct AsyncServerProcess {
    static func main() async throws {
        try await ExampleProcess.run(AsyncServer.self, named: "async-server")
    }
}
