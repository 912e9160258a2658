// SPDX-License-Identifier: Apache-2.0

package import Logging
package import OIDCBrokerRecords

/// The handler of a logger of an ``AuditLog``. The message of a line is the name of the event.
package struct AuditHandler: AuditEventHandler {
    private let audit: AuditLog

    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    /// Creates a handler.
    init(audit: AuditLog, metadataProvider: Logger.MetadataProvider?) {
        self.audit = audit
        self.metadataProvider = metadataProvider
    }

    /// Always the lowest level. An audit is complete: setting another one changes nothing.
    package var logLevel: Logger.Level {
        get { .trace }
        set {}
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func write(_ event: AuditEvent) -> Bool {
        guard metadata.isEmpty, metadataProvider == nil else { return false }
        audit.write(event)
        return true
    }

    package func log(event: LogEvent) {
        audit.write(event, metadata: event.allMetadata(beside: metadata, metadataProvider))
    }
}
