// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// Where webhooks go and what signs them, read once.
struct PreparedWebhook: Sendable {
    let endpoint: AbsoluteURL
    let key: SigningKey

    /// `nil` if none is configured; one that cannot be used is an error that validation names.
    init?(_ webhook: BrokerConfiguration.Webhook?) {
        guard let endpoint = webhook?.endpoint, let key = webhook?.key else { return nil }
        self.endpoint = endpoint
        self.key = key
    }
}
