// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import SignInWithAppleTesting

extension RunningDemoProvider {
    /// Returns what the sample app receives when a user signs in on the provider's sheet: an ID token for the app
    /// itself, signed by the provider, with the hash of the app's nonce.
    ///
    /// - Throws: An error if the app is not registered, or of signing.
    func nativeCredential(for user: DemoUser, rawNonce: String) throws -> SignInSheet.Credential {
        switch self {
        case .development(let provider, _):
            let credential = try provider.nativeCredential(
                clientID: DemoAccounts.nativeClientID, rawNonce: rawNonce, person: user.account)
            return SignInSheet.Credential(
                providerID: DemoProvider.development.wireID, idToken: credential.idToken, rawNonce: rawNonce)
        case .apple(let apple, _):
            let credential = try apple.nativeCredential(
                bundleID: DemoAccounts.bundleID, rawNonce: rawNonce, person: user.appleAccount)
            return SignInSheet.Credential(
                providerID: DemoProvider.apple.wireID, idToken: credential.idToken, rawNonce: rawNonce,
                user: credential.user, authorizationCode: credential.authorizationCode)
        }
    }
}

extension SignInSheet {
    /// Creates the sheets of running providers.
    init(_ providers: [RunningDemoProvider]) {
        self.init { kind, user, rawNonce in
            guard let provider = providers.first(where: { $0.kind == kind }) else {
                throw AccountsWireError.noCredential
            }
            return try provider.nativeCredential(for: user, rawNonce: rawNonce)
        }
    }
}
