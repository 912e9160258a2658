// SPDX-License-Identifier: Apache-2.0

public import Logging
import OIDCBroker
package import OIDCBrokerConfiguration

/// What `oidc-broker serve` writes: the keys under `server.log.`.
public struct LogConfiguration: Sendable, Hashable {
    /// How lines are written.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Text that is easy to read.
        case text
        /// One JSON object a line.
        case json
    }

    /// The minimum level: `server.log.level`.
    public var level = Logger.Level.info
    /// How lines are written: `server.log.format`; `nil` for text on a terminal and JSON elsewhere.
    public var format: Format?
    /// Whether a line is written for each request: `server.log.access`.
    public var access = false
    /// The path of the file of the audit, or `-` for standard output: `server.log.audit`; `nil` for no audit.
    public var audit: String?

    /// Creates a configuration with the defaults of its keys.
    public init() {}
}

extension LogConfiguration: SettingSection {
    package static let settings: [Setting<LogConfiguration>] = [
        Setting(
            "level", \.level,
            .named(
                "one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "),
                { Logger.Level(rawValue: $0) }, show: { $0.rawValue }), "the minimum level of log lines"),
        Setting(
            "format", \.format,
            .named(
                Format.allCases.map(\.rawValue).joined(separator: " or "), { Format(rawValue: $0) },
                show: { $0.rawValue }), "the format of log lines", default: "`text` on a terminal, else `json`"
        ).fixedWhileRunning(),
        Setting("access", \.access, .bool, "whether each request is logged"),
        Setting(
            "audit", \.audit, .text, "the file of the audit log, or `-` for standard output",
            bounds: SettingBounds("a path, or -") { !$0.isEmpty }
        ).fixedWhileRunning(),
    ]

    /// The prefix of the keys.
    static let prefix = ServerConfiguration.prefix + "log."
}
