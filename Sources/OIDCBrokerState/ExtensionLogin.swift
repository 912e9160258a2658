// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What the state of a login has in the place of an app if the login belongs to an extension. It is a class, so that the
/// state of an app's login is larger by one empty reference only.
package final class ExtensionLogin: Sendable, Hashable {
    /// The `BrokerExtension.loginPurpose` of the extension that began the login.
    package let purpose: String
    /// The name of the client in the extension's part of the configuration, for logs and pages.
    package let client: String
    /// The extension's own bytes. The state with them has at most ``StateSealer/maximumExtensionStateLength`` characters.
    package let content: [UInt8]

    /// Creates what an extension keeps of a login.
    package init(purpose: String, client: String, content: [UInt8]) {
        self.purpose = purpose
        self.client = client
        self.content = content
    }

    package static func == (left: ExtensionLogin, right: ExtensionLogin) -> Bool {
        left.purpose == right.purpose && left.client == right.client && left.content == right.content
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(purpose)
        hasher.combine(client)
        hasher.combine(content)
    }

    /// Writes the login.
    package func write(to writer: inout ByteWriter) {
        writer.write(counted: purpose.utf8)
        writer.write(counted: client.utf8)
        writer.write(counted: content)
    }

    /// Reads what ``write(to:)`` wrote; `nil` if it did not write this.
    package convenience init?(from reader: inout ByteReader) {
        guard let purpose = reader.readCountedString(), let client = reader.readCountedString(),
            let content = reader.readCounted()
        else { return nil }
        self.init(purpose: purpose, client: client, content: content)
    }
}
