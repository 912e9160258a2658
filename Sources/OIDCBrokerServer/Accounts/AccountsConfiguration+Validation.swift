// SPDX-License-Identifier: Apache-2.0

import Accounts
import IdentityToolkit
import JOSE
import OIDCBroker
public import OIDCBrokerConfiguration
import OpenIDRelyingParty
package import Signing

extension AccountsConfiguration {
    /// Validates the configuration beside that of a broker and returns every error. The result is empty if the accounts
    /// can be opened, apart from the database, which is not touched.
    public func validate(beside broker: BrokerConfiguration) -> [ConfigurationError] {
        var errors = boundsErrors(prefix: Self.prefix)
        func add(_ found: [ConfigurationError]) {
            // One error for each key is enough.
            for error in found where !errors.contains(where: { $0.key == error.key }) { errors.append(error) }
        }
        add(keysErrors(beside: broker))
        for app in apps {
            add(app.boundsErrors(prefix: app.prefix))
            var unchanged = SDKAppConfiguration(unknown: app.name)
            unchanged.kind = app.kind
            add(app.refusedErrors(prefix: app.prefix, comparedWith: unchanged))
        }
        let found = SDKApps.errors(
            in: apps.map { $0.app(beside: broker) }, providerNames: Set(broker.providers.map(\.name)),
            providerIDs: Set(broker.providers.map(\.id)),
            takenAudiences: Set(
                broker.apps.flatMap { $0.nativeAudiences.map(\.audience) }
                    + broker.providers.map(\.configuration.clientID)))
        add(found.map { ConfigurationError(key: $0.key, expected: $0.expected) })
        return errors
    }

    /// Returns an error for each value that differs from that of the accounts that are open, although it is fixed while
    /// they are.
    func errors(changing open: AccountsConfiguration) -> [ConfigurationError] {
        var unchanged = self
        return unchanged.keepFixed(of: open, prefix: Self.prefix).map {
            ConfigurationError(key: $0, expected: "the value of the accounts that are open; a change needs a restart")
        }
    }

    /// Returns the keys that sign ID tokens of accounts, which are made if there are none and the broker's public URL is
    /// a loopback one.
    /// - Throws: `SigningKeysError` if there are none or they cannot be used.
    package func keys(beside broker: BrokerConfiguration) throws(SigningKeysError) -> SigningKeys {
        guard signingKeys.isEmpty, broker.publicURL.isLoopback else {
            return try SigningKeys(pem: Self.text(signingKeys))
        }
        return try .generate()
    }

    /// Whether the keys live as long as the process only.
    func makesKeys(beside broker: BrokerConfiguration) -> Bool { signingKeys.isEmpty && broker.publicURL.isLoopback }

    private func keysErrors(beside broker: BrokerConfiguration) -> [ConfigurationError] {
        guard !makesKeys(beside: broker) else { return [] }
        let others = [broker.signingKeys, broker.resourceSigningKeys].flatMap { keys in
            (try? SigningKeys(pem: Self.text(keys)))?.all.map(\.keyID) ?? []
        }
        var expected = Self.keysTake
        if signingKeys.isEmpty {
            expected += ", required with accounts"
        } else if let keys = try? SigningKeys(pem: Self.text(signingKeys)) {
            // A key that both use would let a token of one kind pass for one of the other.
            guard keys.all.contains(where: { others.contains($0.keyID) }) else { return [] }
            expected += "; a key is one of the broker's"
        } else {
            expected += "; " + SigningKeys.problem(of: signingKeys)
        }
        return [Self.error(\.signingKeys, prefix: Self.prefix, expected: expected)]
    }

    private static func text(_ keys: [Secret]) -> String { keys.map(\.exposed).joined(separator: "\n") }
}
