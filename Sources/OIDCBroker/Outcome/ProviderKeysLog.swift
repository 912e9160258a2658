// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

/// An observer that logs and counts problems with the keys of a provider, and measures the requests to it.
final class ProviderKeysLog: RelyingPartyObserver {
    /// The maximum number of key IDs with a count of their own, because metrics systems keep all labels and the
    /// provider chooses the IDs. Any other is counted as `other`.
    static let mostCountedKeyIDs = 16
    /// The maximum number of key IDs in a log line.
    static let mostShownKeyIDs = 8

    private let provider: String
    private let logger: Logger
    private let metrics: BrokerMetrics
    private let countedKeyIDs = Mutex<[String]>([])

    init(provider: String, logger: Logger, metrics: BrokerMetrics = BrokerMetrics()) {
        self.provider = provider
        self.logger = logger
        self.metrics = metrics
    }

    func requestEnded(_ step: RelyingPartyError.Step, after duration: TimeAmount) {
        metrics.providerRequestDuration.record(duration, provider, step.description)
    }

    func expiredKeysServe(_ error: RelyingPartyError) {
        metrics.expiredKeySets.increment(provider)
        logger.warning(
            "the keys of a provider have expired and cannot be fetched; they serve for an hour past their expiry at most",
            metadata: ["auth.provider": "\(provider)", "auth.detail": "\(LogText.detail("\(error)"))"])
    }

    func privateKeysPublished(_ keyIDs: [String]) {
        for keyID in keyIDs {
            metrics.publishedPrivateKeys.increment(provider, label(of: keyID))
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
