// SPDX-License-Identifier: Apache-2.0

import ExampleServing

@main
struct HummingbirdServerProcess {
    static func main() async throws {
        #if Examples
            try await ExampleProcess.run(HummingbirdServer.self, named: "hummingbird-server")
        #else
            print("Hummingbird is not built: swift run --traits Server,SQLite,Examples hummingbird-server")
        #endif
    }
}
