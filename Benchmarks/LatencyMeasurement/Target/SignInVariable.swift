// SPDX-License-Identifier: Apache-2.0

/// A variable in the texts of a target file that differs between sign-ins, written as `${STATE}`.
package enum SignInVariable: String, Sendable, Hashable, CaseIterable {
    /// The app's `state`, different in each sign-in.
    case state = "STATE"
    /// The app's own `nonce`.
    case nonce = "NONCE"
    /// The subject that the provider returns, different in each sign-in.
    case subject = "SUBJECT"
    /// The credential that the callback returned.
    case code = "CODE"
    /// The number of the provider, counted from 0.
    case provider = "K"
    /// The address of the user's client, one of 65,536 in turn, as a proxy in front of the target names it.
    case client = "CLIENT"
}

/// The values of one sign-in.
package struct SignInValues: Sendable, Hashable {
    /// The app's `state`.
    package var state: String
    /// The app's `nonce`.
    package var nonce: String
    /// The provider's `sub`; empty until it is known.
    package var subject: String
    /// The credential that the callback returned; empty until then.
    package var code: String
    /// The provider's number.
    package var provider: Int
    /// The number of the user's client.
    package var client: UInt16

    /// Creates the values of a new sign-in.
    package init(
        state: String, nonce: String, subject: String = "", code: String = "", provider: Int = 0,
        client: UInt16 = 0
    ) {
        self.state = state
        self.nonce = nonce
        self.subject = subject
        self.code = code
        self.provider = provider
        self.client = client
    }

    /// The value of a variable.
    package subscript(variable: SignInVariable) -> String {
        switch variable {
        case .state: state
        case .nonce: nonce
        case .subject: subject
        case .code: code
        case .provider: String(provider)
        case .client: "10.0.\(client >> 8).\(client & 0xff)"
        }
    }
}
