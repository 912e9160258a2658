// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerHTTP

extension StartFlow {
    /// A request whose recipient is known to match: an app's, or one of an extension. It is a class because each step
    /// passes it on.
    final class Start: Sendable {
        /// Who gets the sign-in.
        let recipient: LoginRecipient
        let request: AppAuthorizationRequest
        let isChosen: Bool
        /// The address of the client; `nil` if it is not known.
        let clientAddress: ClientAddress?

        init(
            for recipient: LoginRecipient, request: AppAuthorizationRequest, isChosen: Bool,
            clientAddress: ClientAddress?
        ) {
            self.recipient = recipient
            self.request = request
            self.isChosen = isChosen
            self.clientAddress = clientAddress
        }
    }

    /// What the person chose on the broker's page.
    struct Choice {
        /// The name of the provider.
        let provider: WireText
        /// The login ID of the ``PendingChoice``.
        let loginID: [UInt8]
    }
}
