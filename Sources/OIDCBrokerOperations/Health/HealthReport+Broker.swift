// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker
import OpenIDRelyingParty
import SingleUse

extension HealthReport {
    /// Creates the report of a server with a broker.
    ///
    /// - Parameters:
    ///   - broker: The broker, whose clock and providers count.
    ///   - version: The version of the program.
    ///   - uptimeSeconds: The time since the start, in seconds.
    ///   - configuration: The fingerprint of the configuration in use; `nil` if it is not known.
    ///   - expiries: When certificates and client secrets end.
    public init(
        of broker: Broker, version: String, uptimeSeconds: Int64, configuration: ConfigurationFingerprint?,
        expiries: ExpiryDates
    ) {
        self.init(
            version: version, uptimeSeconds: uptimeSeconds, configuration: configuration, now: broker.now,
            expiries: expiries.all)
        store = broker.sharedStoreStatus?.rawValue
        providers = broker.providerStatuses.map { ($0.provider, ProviderCondition($0.status)) }
    }
}
