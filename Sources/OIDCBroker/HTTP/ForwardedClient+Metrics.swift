// SPDX-License-Identifier: Apache-2.0

import Metrics

extension ForwardedClient {
    /// Returns the client, and counts a field that could not be read.
    package func counted() -> IPAddress? {
        if wasUnreadable { Counter(label: "auth_forwarded_unreadable").increment() }
        return client
    }
}
