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
            "cannot fetch the keys of the provider; cached keys stay in use for at most one more hour",
            metadata: ["auth.provider": "\(provider)", "auth.detail": "\(LogText.detail("\(error)"))"])
    }

    package func signInsCannotSucceed(_ error: RelyingPartyError) {
        logger.warning(
            "provider unusable: its metadata allows no sign-in",
            metadata: ["auth.provider": "\(provider)", "auth.detail": "\(LogText.detail("\(error)"))"])
    }

    package func privateKeysPublished(_ keyIDs: [String]) {
        metrics.publishedPrivateKeys.add(keyIDs.count, provider)
        let shown = keyIDs.prefix(Self.mostShownKeyIDs).map { "'\($0)'" }.joined(separator: ", ")
        let others = keyIDs.count - Self.mostShownKeyIDs
        logger.warning(
            "provider publishes private keys: anyone can forge its tokens; these keys are ignored",
            metadata: [
                "auth.provider": "\(provider)", "auth.kid": "\(shown)\(others > 0 ? " and \(others) more" : "")",
            ])
    }
}
