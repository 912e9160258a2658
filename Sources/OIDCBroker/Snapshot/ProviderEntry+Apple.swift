// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import SignInWithApple

extension ProviderEntry {
    /// Uses the key of a configuration that is otherwise the same from now on, for requests in flight too.
    func replaceKey(by provider: BrokerConfiguration.Provider) {
        let (old, new) = (configuration.apple, provider.apple)
        let isSameKey = old?.teamID == new?.teamID && old?.keyID == new?.keyID && old?.privateKey == new?.privateKey
        guard !isSameKey, let key = try? new?.key() else { return }
        behavior.clientSecret?.replaceKey(key)
    }
}
