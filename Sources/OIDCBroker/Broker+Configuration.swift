// SPDX-License-Identifier: Apache-2.0

extension Broker {
    /// The configuration in use.
    package var configuration: BrokerConfiguration { current.configuration }
}
