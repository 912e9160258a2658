// SPDX-License-Identifier: Apache-2.0

import Logging

@testable import oidc_broker

extension DemoEnvironment {
    /// A demo on free ports, with a certificate of its own that goes when the demo stops.
    static func forTest(_ provider: DemoProvider = .development) async throws -> DemoEnvironment {
        try await start(
            port: 0, provider: provider, certificates: .temporary(),
            logger: Logger(label: "oidc-brokerTests") { _ in SwiftLogNoOpLogHandler() })
    }
}
