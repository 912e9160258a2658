// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerConfiguration

extension Broker {
    /// The configuration in use.
    package var configuration: BrokerConfiguration { current.configuration }

    /// The public URL of the configuration in use.
    package var publicURL: PublicURL { current.configuration.publicURL }
}
