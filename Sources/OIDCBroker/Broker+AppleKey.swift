// SPDX-License-Identifier: Apache-2.0

public import OIDCBrokerConfiguration
public import OpenIDRelyingParty

extension Broker {
    /// Replaces the key of a provider of kind `apple` while requests run. Sign-ins under way continue, and the next
    /// request to Apple is authenticated with the new key.
    ///
    /// - Parameters:
    ///   - name: The provider's name in the configuration.
    ///   - keyID: The ID of the new key; `nil` if it is the same as before.
    ///   - privateKey: The text of the new `.p8` file.
    /// - Throws: `BrokerConfigurationError`, in which case nothing has changed.
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

    /// The Apple keys that were read from files, as currently in use.
    package var watchedAppleKeys: [WatchedAppleKey] {
        current.configuration.providers.compactMap { WatchedAppleKey($0) }
    }
}

/// An Apple key that was read from a file.
package struct WatchedAppleKey: Sendable, Hashable {
    /// The name of the provider.
    package let provider: String
    /// The path of the private key.
    package let privateKeyFile: String
    /// The path of the key ID; `nil` if it is not in a file.
    package let keyIDFile: String?
    /// The private key in use.
    package let privateKey: Secret
    /// The key ID in use.
    package let keyID: String

    /// Creates a value; `nil` if the provider's key is not read from a file.
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
