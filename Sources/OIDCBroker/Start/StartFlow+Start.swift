// SPDX-License-Identifier: Apache-2.0

import JOSE

extension StartFlow {
    /// A request whose recipient is known to match: an app's, or one of an extension. It is a class because each step
    /// passes it on.
    final class Start: Sendable {
        /// Who gets the sign-in.
        let recipient: LoginRecipient
        let request: AppAuthorizationRequest
        let isChosen: Bool

        init(for recipient: LoginRecipient, request: AppAuthorizationRequest, isChosen: Bool) {
            self.recipient = recipient
            self.request = request
            self.isChosen = isChosen
        }
    }

    /// What the user chose on the broker's page.
    struct Choice {
        /// The name of the provider.
        let provider: WireText
        /// The login ID of the ``PendingChoice``.
        let loginID: [UInt8]
    }
}
