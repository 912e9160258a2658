// SPDX-License-Identifier: Apache-2.0

package import Logging
package import NIOCore
import OpenIDConnect
package import OpenIDRelyingParty

/// An observer that logs and counts problems with the keys of a provider, and measures the requests to it.
package final class ProviderKeysLog: RelyingPartyObserver {
    /// The maximum number of key IDs in a log line. The provider chooses them, so they are no labels of a metric.
    static let mostShownKeyIDs = 8

    private let provider: String
    private let logger: Logger
    private let metrics: BrokerMetrics

    /// Creates an observer of one provider.
    /// - Parameter provider: The provider's ID, as it appears in logs and metrics.
    package init(provider: String, logger: Logger, metrics: BrokerMetrics = BrokerMetrics()) {
        self.provider = provider
        self.logger = logger
        self.metrics = metrics
    }

    package func requestEnded(_ step: RelyingPartyError.Step, after duration: TimeAmount) {
        metrics.providerRequestDuration.record(duration, provider, step.description)
    }

    package func expiredKeysServe(_ error: RelyingPartyError) {
        metrics.expiredKeySets.increment(provider)
        logger.warning(
            "the keys of a provider have expired and cannot be fetched; they serve for an hour past their expiry at most",
            metadata: ["auth.provider": "\(provider)", "auth.detail": "\(LogText.detail("\(error)"))"])
    }

    package func signInsCannotSucceed(_ error: RelyingPartyError) {
        logger.warning(
            "no sign-in with a provider can succeed by what its metadata say",
            metadata: ["auth.provider": "\(provider)", "auth.detail": "\(LogText.detail("\(error)"))"])
    }

    package func privateKeysPublished(_ keyIDs: [String]) {
        metrics.publishedPrivateKeys.add(keyIDs.count, provider)
        let shown = keyIDs.prefix(Self.mostShownKeyIDs).map { "'\($0)'" }.joined(separator: ", ")
        let others = keyIDs.count - Self.mostShownKeyIDs
        logger.warning(
            "a provider publishes private keys; they are not used: any reader of them could sign as the provider",
            metadata: [
                "auth.provider": "\(provider)", "auth.kid": "\(shown)\(others > 0 ? " and \(others) more" : "")",
            ])
    }
}
