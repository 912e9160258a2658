// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import SingleUse

/// What `/healthz` and `/readyz` say besides their status: a JSON object for operators and dashboards.
///
/// It holds no secrets and no names of users. Whether a server is healthy or ready does not depend on it: a provider
/// that fails is no reason to restart or to leave out a server.
public struct HealthReport: Sendable {
    /// The version of the program.
    public var version: String
    /// The time since the start, in seconds.
    public var uptimeSeconds: Int64
    /// The fingerprint of the configuration in use; `nil` if it is not known.
    public var configuration: ConfigurationFingerprint?
    /// The current time, in seconds since 1970.
    public var now: Int64
    /// When certificates and client secrets end.
    public var expiries: [ExpiryDates.Entry]
    /// Whether a store outside of the process can be reached, in one word: `ok`, `away` or `not_reached`; `nil` if there is
    /// none.
    package var store: String?
    /// Whether the database of accounts can be reached, in the same words; `nil` if there are no accounts.
    package var accounts: String?
    /// How each provider does, by the ID that clients know.
    package var providers: [(id: String, condition: ProviderCondition)] = []

    /// Creates a report without providers.
    public init(
        version: String, uptimeSeconds: Int64, configuration: ConfigurationFingerprint?, now: Int64,
        expiries: [ExpiryDates.Entry] = []
    ) {
        self.version = version
        self.uptimeSeconds = uptimeSeconds
        self.configuration = configuration
        self.now = now
        self.expiries = expiries
    }

    /// Whether there is a store outside of the process, or a database of accounts, that does not answer.
    var isStoreAway: Bool { [store, accounts].contains { $0 != nil && $0 != SharedStoreStatus.reached.rawValue } }

    /// Returns the report as JSON.
    /// - Parameters:
    ///   - status: The status in one word.
    ///   - loops: The number of event loops, and of those that are stuck; `nil` if they were not asked.
    func json(status: String, loops: (total: Int, stuck: Int)?) -> [UInt8] {
        var report: JSONObject = [
            "status": .string(status),
            "version": .string(version),
            "uptime_seconds": .number(JSONNumber(uptimeSeconds)),
        ]
        if let configuration { report["configuration"] = .string(configuration.description) }
        if let loops {
            report["event_loops"] = [
                "total": .number(JSONNumber(Int64(loops.total))), "stuck": .number(JSONNumber(Int64(loops.stuck))),
            ]
        }
        if let store { report["store"] = .string(store) }
        if let accounts { report["accounts"] = .string(accounts) }
        report["certificates"] = .array(ends(of: .certificate))
        report["client_secrets"] = .array(ends(of: .clientSecret))
        report["providers"] = .array(providers.map { provider($0.id, $0.condition) })
        return report.serialized()
    }

    private func ends(of kind: ExpiryDates.Kind) -> [JSONValue] {
        expiries.filter { $0.kind == kind }.map { entry in
            let (seconds, overflow) = entry.end.subtractingReportingOverflow(now)
            // Whole days, rounded down: on its last day there are 0 left, and then less than that.
            let days = overflow ? 0 : seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1
            return ["name": .string(entry.name), "days_left": .number(JSONNumber(days))]
        }
    }

    private func provider(_ id: String, _ condition: ProviderCondition) -> JSONValue {
        var object: JSONObject = ["name": .string(id)]
        switch condition {
        case .ok:
            object["status"] = "ok"
        case .stale(let failure):
            object["status"] = "stale"
            object["since"] = .number(JSONNumber(now &- failure.seconds))
            object["error"] = .string(failure.error)
        case .failing(let failure):
            object["status"] = "failing"
            object["since"] = .number(JSONNumber(now &- failure.seconds))
            object["error"] = .string(failure.error)
        }
        return .object(object)
    }
}
