// SPDX-License-Identifier: Apache-2.0

package import Logging
package import OIDCBrokerConfiguration

extension Logger {
    /// The maximum number of errors of one configuration in the log.
    private static let maximumErrors = 100

    /// Logs that a configuration was refused, with its errors. An error names keys and contains no value that is a
    /// secret.
    package func logRefusal(_ refusal: BrokerConfigurationError) {
        for error in refusal.errors.prefix(Self.maximumErrors) { self.error("\(error)") }
        self.error(
            "configuration not reloaded because of errors; the old one stays active",
            metadata: ["auth.errors": "\(refusal.errors.count)"])
    }
}
