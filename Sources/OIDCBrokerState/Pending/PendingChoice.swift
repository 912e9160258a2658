// SPDX-License-Identifier: Apache-2.0

/// A start that waits for the user to choose a provider. It is sealed in the form of the page and not stored.
package struct PendingChoice {
    /// What the user chooses a provider for.
    package enum Start: Hashable {
        /// The query, or the form, of an app's request as received.
        case request(String)
        /// A login of an app of kind `in-process`, by the name of the app in the configuration.
        case inProcess(InProcessLogin, app: String)
    }

    /// The ID of the login, 16 bytes.
    package let loginID: [UInt8]
    let issuedAt: Int64
    /// The SHA-256 hash of the cookie's binding value, 32 bytes.
    package let bindingHash: [UInt8]
    /// What the user chooses a provider for.
    package let start: Start

    /// Creates a start that waits.
    package init(loginID: [UInt8], issuedAt: Int64, bindingHash: [UInt8], start: Start) {
        self.loginID = loginID
        self.issuedAt = issuedAt
        self.bindingHash = bindingHash
        self.start = start
    }

    /// Whether it is too old, or of the future, at a time in seconds since 1970.
    package func isStale(at now: Int64) -> Bool {
        issuedAt <= now - LoginState.lifetime || issuedAt > now + LoginState.clockSkew
    }

    /// The bytes that are sealed.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(raw: loginID)
        writer.write(issuedAt)
        writer.write(raw: bindingHash)
        switch start {
        case .request(let query):
            writer.write(UInt8(0))
            writer.write(long: query.utf8)
        case .inProcess(let login, let app):
            writer.write(UInt8(1))
            writer.write(counted: app.utf8)
            login.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads what ``encoded`` wrote; `nil` if it did not write this.
    package init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let loginID = reader.read(16), let issuedAt = reader.readInt64(), let bindingHash = reader.read(32),
            let start = Start(from: &reader), reader.isAtEnd
        else { return nil }
        self.init(loginID: loginID, issuedAt: issuedAt, bindingHash: bindingHash, start: start)
    }
}

extension PendingChoice.Start {
    fileprivate init?(from reader: inout ByteReader) {
        switch reader.readByte() {
        case 0:
            guard let query = reader.readLong().flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
            self = .request(query)
        case 1:
            guard let app = reader.readCountedString(), let login = InProcessLogin(from: &reader) else { return nil }
            self = .inProcess(login, app: app)
        default: return nil
        }
    }
}
