// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The address of the webhook and the key that signs its requests.
struct PreparedWebhook: Sendable {
    let endpoint: AbsoluteURL
    let key: SigningKey

    /// Prepares a webhook; `nil` if none is configured. Validation reports one that cannot be used.
    init?(_ webhook: BrokerConfiguration.Webhook?) {
        guard let endpoint = webhook?.endpoint, let key = webhook?.key else { return nil }
        self.endpoint = endpoint
        self.key = key
    }
}
