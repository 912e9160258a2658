// SPDX-License-Identifier: Apache-2.0

package import Logging
package import OIDCBrokerRecords

/// The handler of one logger of a ``MainLog``.
///
/// It formats on the thread that logs, but for the lines about requests, and never waits for the output.
package struct LogWriter: AccessLineHandler {
    private let label: String
    private let requestLines: RequestLineTemplate
    private let log: MainLog
    private var ownLevel: Logger.Level?

    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    /// Creates a handler.
    init(label: String, log: MainLog, metadataProvider: Logger.MetadataProvider?) {
        self.label = label
        requestLines = log.requestLines(label: label)
        self.log = log
        self.metadataProvider = metadataProvider
    }

    /// The level of the log, which can change at any time. Setting it fixes the level of this logger and its copies.
    package var logLevel: Logger.Level {
        get { ownLevel ?? log.level.current }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func write(_ line: AccessLine) -> Bool {
        guard metadata.isEmpty, metadataProvider == nil else { return false }
        log.write(line, requestLines)
        return true
    }

    package func log(event: LogEvent) {
        log.write(event, metadata: event.allMetadata(beside: metadata, metadataProvider), label: label)
    }
}

extension LogEvent {
    /// All metadata of a line. What the statement says has precedence over the provider, and that over the logger. An
    /// error becomes `error.type` and `error.message`, the names that swift-log's own handler uses.
    func allMetadata(beside own: Logger.Metadata, _ provider: Logger.MetadataProvider?) -> Logger.Metadata {
        var all = own
        for part in [provider?.get(), self.metadata] {
            guard let part, !part.isEmpty else { continue }
            if all.isEmpty { all = part } else { all.merge(part) { $1 } }
        }
        if let error {
            all["error.type"] = "\(String(reflecting: type(of: error)))"
            all["error.message"] = "\(error)"
        }
        return all
    }
}
