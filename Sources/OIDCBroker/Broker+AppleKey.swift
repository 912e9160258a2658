// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension Broker {
    /// Replaces the key of a provider of kind `apple` while requests run: sign-ins under way go on, and the next
    /// request to Apple proves itself with the new key.
    ///
    /// - Parameters:
    ///   - name: the provider's name in the configuration.
    ///   - keyID: the new key's id; `nil` if it keeps the old one's.
    ///   - privateKey: the text of the new `.p8` file.
    /// - Throws: ``BrokerConfigurationError``; nothing is changed then.
    public func replaceAppleKey(
        provider name: String, keyID: String? = nil, privateKey: Secret
    ) throws(BrokerConfigurationError) {
        try change { configuration throws(BrokerConfigurationError) in
            guard let index = configuration.providers.firstIndex(where: { $0.name == name && $0.apple != nil }) else {
                let prefix = BrokerConfiguration.Provider.prefix(of: name)
                throw BrokerConfigurationError(errors: [
                    BrokerConfiguration.Provider.error(\.kindName, prefix: prefix, expected: "apple")
                ])
            }
            var changed = configuration
            changed.providers[index].apple?.privateKey = privateKey
            if let keyID { changed.providers[index].apple?.keyID = keyID }
            return changed
        }
    }

    /// The keys of Apple that were read from files, as they are in use now.
    package var watchedAppleKeys: [WatchedAppleKey] {
        current.configuration.providers.compactMap { WatchedAppleKey($0) }
    }
}

/// A key of Apple that was read from a file.
package struct WatchedAppleKey: Sendable, Hashable {
    /// The provider's name.
    package let provider: String
    /// Where the private key is.
    package let privateKeyFile: String
    /// Where the key's id is; `nil` if that is no file.
    package let keyIDFile: String?
    /// The private key in use.
    package let privateKey: Secret
    /// The key id in use.
    package let keyID: String

    /// Nil for a provider whose key is not read from a file.
    init?(_ provider: BrokerConfiguration.Provider) {
        guard let apple = provider.apple, let privateKeyFile = apple.privateKeyFile,
            let privateKey = apple.privateKey, let keyID = apple.keyID
        else { return nil }
        self.provider = provider.name
        self.privateKeyFile = privateKeyFile
        keyIDFile = apple.keyIDFile
        self.privateKey = privateKey
        self.keyID = keyID
    }
}
