// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerPages

/// The sign-in of a login that belongs to an extension, while it waits.
package struct PendingExtensionSignIn {
    /// The first byte, which no other value in its place has.
    static let format: UInt8 = 1

    /// What the state of the login had.
    package let login: ExtensionLogin
    /// The name of the provider in the configuration.
    package let provider: String
    /// The language that the client asked for; `nil` for that of the user agent.
    package let language: Language?
    /// The user, as the `sub` of the broker's own tokens, for the audit.
    package let subject: String
    /// What waits, with what the page shows.
    package let waiting: WaitingSignIn

    /// Creates a sign-in that waits.
    package init(
        login: ExtensionLogin, provider: String, language: Language?, subject: String, waiting: WaitingSignIn
    ) {
        self.login = login
        self.provider = provider
        self.language = language
        self.subject = subject
        self.waiting = waiting
    }

    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 1024 + waiting.content.count)
        writer.write(Self.format)
        login.write(to: &writer)
        writer.write(counted: provider.utf8)
        writer.write(language.encoded)
        writer.write(counted: subject.utf8)
        writer.write(UInt8(waiting.account == nil ? 0 : 1))
        writer.write(counted: (waiting.account ?? "").utf8)
        writer.write(counted: waiting.destination.utf8)
        writer.write(long: waiting.content)
        return writer.bytes
    }
}

extension PendingExtensionSignIn {
    /// Reads what `encoded` wrote; `nil` if it did not write this.
    package init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard reader.readByte() == Self.format, let login = ExtensionLogin(from: &reader),
            let provider = reader.readCountedString(), let language = reader.readByte(),
            let subject = reader.readCountedString(), let hasAccount = reader.readByte(),
            let account = reader.readCountedString(), let destination = reader.readCountedString(),
            let content = reader.readLong(), reader.isAtEnd
        else { return nil }
        self.init(
            login: login, provider: provider, language: Language(rawValue: language), subject: subject,
            waiting: WaitingSignIn(
                content: content, account: hasAccount == 1 ? account : nil, destination: destination))
    }
}
