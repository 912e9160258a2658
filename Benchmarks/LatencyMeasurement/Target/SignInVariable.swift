// SPDX-License-Identifier: Apache-2.0

/// What differs from one sign-in to the next in a target file's texts, written as `${STATE}`.
package enum SignInVariable: String, Sendable, Hashable, CaseIterable {
    /// The app's own `state`: another one in each sign-in.
    case state = "STATE"
    /// The app's own `nonce`.
    case nonce = "NONCE"
    /// The subject that the provider says in this sign-in: another one in each.
    case subject = "SUBJECT"
    /// The credential that the callback handed out.
    case code = "CODE"
    /// The number of the provider, from 0.
    case provider = "K"
}

/// The values of one sign-in.
package struct SignInValues: Sendable, Hashable {
    /// The app's `state`.
    package var state: String
    /// The app's `nonce`.
    package var nonce: String
    /// The provider's `sub`; empty until the provider has said one.
    package var subject: String
    /// What the callback handed out; empty until then.
    package var code: String
    /// The provider's number.
    package var provider: Int

    /// Values of a sign-in that begins.
    package init(state: String, nonce: String, subject: String = "", code: String = "", provider: Int = 0) {
        self.state = state
        self.nonce = nonce
        self.subject = subject
        self.code = code
        self.provider = provider
    }

    /// The value of a variable.
    package subscript(variable: SignInVariable) -> String {
        switch variable {
        case .state: state
        case .nonce: nonce
        case .subject: subject
        case .code: code
        case .provider: String(provider)
        }
    }
}
