// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOConcurrencyHelpers
import TestingSupport

@testable import oidc_broker_demo

extension DemoEnvironment {
    /// A demo on free ports, with a certificate of its own that goes when the demo stops.
    static func forTest(
        _ provider: DemoProvider = .development, hasAccounts: Bool = false
    ) async throws -> DemoEnvironment {
        try await start(
            port: 0, provider: provider, hasAccounts: hasAccounts, certificates: .temporary(),
            logger: Logger(label: "oidc-brokerTests") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Runs the demo's check, stops the demo whatever came of it, and gives what was printed, line by line.
    func checkAndStop() async throws -> [String] {
        let lines = NIOLockedValueBox<[String]>([])
        try await attempt {
            try await DemoCheck(self).run { line in lines.withLockedValue { $0.append(line) } }
        } finally: {
            await stop()
        }
        return lines.withLockedValue { $0 }
    }
}
