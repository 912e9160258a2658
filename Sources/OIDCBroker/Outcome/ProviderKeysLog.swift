// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import Metrics
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

/// An observer that logs and counts problems with the keys of a provider.
final class ProviderKeysLog: RelyingPartyObserver {
    /// The maximum number of key IDs with a count of their own, because metrics systems keep all labels and the
    /// provider chooses the IDs. Any other is counted as `other`.
    static let mostCountedKeyIDs = 16
    /// The maximum number of key IDs in a log line.
    static let mostShownKeyIDs = 8

    private let provider: String
    private let logger: Logger
    private let countedKeyIDs = Mutex<[String]>([])

    init(provider: String, logger: Logger) {
        self.provider = provider
        self.logger = logger
    }

    func expiredKeysServe(_ error: RelyingPartyError) {
        Counter(label: "auth_expired_key_sets", dimensions: [("provider", provider)]).increment()
        logger.warning(
            "the keys of a provider have expired and cannot be fetched; they serve for an hour past their expiry at most",
            metadata: ["auth.provider": "\(provider)", "auth.detail": "\(LogText.detail("\(error)"))"])
    }

    func privateKeysPublished(_ keyIDs: [String]) {
        for keyID in keyIDs {
            Counter(
                label: "auth_published_private_keys", dimensions: [("provider", provider), ("kid", label(of: keyID))]
            ).increment()
        }
        let shown = keyIDs.prefix(Self.mostShownKeyIDs).map { "'\($0)'" }.joined(separator: ", ")
        let others = keyIDs.count - Self.mostShownKeyIDs
        logger.warning(
            "a provider publishes private keys; they are not used: any reader of them could sign as the provider",
            metadata: [
                "auth.provider": "\(provider)", "auth.kid": "\(shown)\(others > 0 ? " and \(others) more" : "")",
            ])
    }

    private func label(of keyID: String) -> String {
        countedKeyIDs.withLock { counted in
            if counted.contains(where: { $0.hasSameBytes(as: keyID) }) { return keyID }
            guard counted.count < Self.mostCountedKeyIDs else { return "other" }
            counted.append(keyID)
            return keyID
        }
    }
}
