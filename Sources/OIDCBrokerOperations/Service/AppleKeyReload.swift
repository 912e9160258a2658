// SPDX-License-Identifier: Apache-2.0

package import Logging
package import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerRecords
import OpenIDRelyingParty

/// A task that periodically reads the files of Apple's keys and passes new keys to the broker. An invalid key is
/// reported, and the last valid one remains in use.
///
/// A new key is used after it was read twice in a row. Apple gives each key an ID of its own: if both
/// `private-key-file` and `key-id-file` are replaced between two reads, both changes take effect together.
package struct AppleKeyReload: Sendable {
    private let broker: Broker
    private let interval: Duration
    private let logger: Logger

    /// Creates the task of a broker.
    /// - Parameters:
    ///   - interval: The interval between reads.
    ///   - logger: The logger. No key is logged.
    package init(broker: Broker, interval: Duration, logger: Logger) {
        self.broker = broker
        self.interval = interval
        self.logger = logger
    }

    /// Reads the files until the task is canceled.
    package func run() async {
        var machines: [String: StateMachine] = [:]
        while !Task.isCancelled {
            for key in broker.watchedAppleKeys {
                look(at: key, &machines[key.provider, default: StateMachine()])
            }
            if (try? await Task.sleep(for: interval)) == nil { return }
        }
    }

    private func look(at key: WatchedAppleKey, _ machine: inout StateMachine) {
        let current = StateMachine.Contents(privateKey: key.privateKey.exposed, keyID: key.keyID)
        switch machine.looked(contents(of: key), current: current) {
        case .none:
            break
        case .report:
            logger.warning(
                "cannot reload the key of the provider; the old one stays active",
                metadata: ["auth.provider": "\(key.provider)", "auth.path": "\(key.privateKeyFile)"])
        case .replace(let contents):
            do {
                try broker.replaceAppleKey(
                    provider: key.provider, keyID: contents.keyID, privateKey: Secret(contents.privateKey))
                logger.info("provider key reloaded", metadata: ["auth.provider": "\(key.provider)"])
            } catch {
                machine.refused(contents)
                logger.warning(
                    "invalid new key of the provider; the old one stays active",
                    metadata: ["auth.provider": "\(key.provider)", "auth.error": "\(error)"])
            }
        }
    }

    private func contents(of key: WatchedAppleKey) -> StateMachine.Contents? {
        guard let privateKey = Self.text(key.privateKeyFile) else { return nil }
        guard let file = key.keyIDFile else { return StateMachine.Contents(privateKey: privateKey, keyID: key.keyID) }
        return Self.text(file).map { StateMachine.Contents(privateKey: privateKey, keyID: $0) }
    }

    private static func text(_ path: String) -> String? {
        ConfigurationFile.contents(atPath: path).map { ConfigurationValues.text(ofFile: $0) }
    }
}
