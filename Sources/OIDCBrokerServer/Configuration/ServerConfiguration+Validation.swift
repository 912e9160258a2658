// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
public import OIDCBrokerConfiguration

extension ServerConfiguration {
    /// Validates the configuration, including the contents of the TLS files, and returns every error. The result is
    /// empty if a server can run with the configuration.
    public func validate() -> [ConfigurationError] {
        validateWithoutFiles() + (tls?.errors() ?? [])
    }

    /// Validates all but the TLS files, which a running server has read already, and reads again by itself.
    func validateWithoutFiles() -> [ConfigurationError] {
        boundsErrors(prefix: Self.prefix) + limits.boundsErrors(prefix: Self.prefix)
            + loopback.boundsErrors(prefix: LoopbackConfiguration.prefix)
            + operations.boundsErrors(prefix: OperationsConfiguration.prefix)
            + log.boundsErrors(prefix: LogConfiguration.prefix)
    }
}
