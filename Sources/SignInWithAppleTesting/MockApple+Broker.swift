// SPDX-License-Identifier: Apache-2.0

public import OIDCBrokerConfiguration

extension MockApple {
    /// Makes a provider of kind `apple` use this mock instead of Apple. There is no configuration key for it.
    public func takePlace(in provider: inout BrokerConfiguration.Provider) {
        provider.replaceApple(
            by: AppleStandIn(issuer: issuer, certificateAuthorities: certificatePEM.map { Array($0.utf8) }))
    }
}
