// SPDX-License-Identifier: Apache-2.0

extension AccountsWireError {
    /// What happened and what the user can do, in plain words.
    var words: String {
        switch self {
        case .refused(let code, _): Self.words(code)
        case .needsConfirmation(let providers):
            "Another account has this email. Sign in to that one, with \(Self.titles(providers)), and link this "
                + "provider there."
        case .anotherPerson: "That is another user's account. You are still signed in to yours."
        case .noCredential: "The provider signed no user in."
        case .signedOut: "You are not signed in. Sign in first."
        case .unavailable: "The broker is unavailable at the moment. You are still signed in: try again."
        case .unreachable: "The broker could not be reached. You are still signed in: try again."
        case .unreadable: "The broker's response could not be read."
        }
    }

    private static func titles(_ providers: [String]) -> String {
        let titles = providers.map { DemoProvider(wireID: $0)?.title ?? $0 }
        return titles.isEmpty ? "the provider that you used before" : titles.joined(separator: " or ")
    }

    private static func words(_ code: String) -> String {
        switch code {
        case "FEDERATED_USER_ID_ALREADY_LINKED":
            "This user of that provider has another account already. Sign in to that one, or unlink the provider "
                + "there."
        case "EMAIL_EXISTS":
            "Another account has this email, verified. Sign in to that one and link this provider there."
        case "PROVIDER_ALREADY_LINKED": "The account is linked to that provider already."
        case "EMAIL_NOT_FOUND": "This user of that provider has no account."
        case "ADMIN_ONLY_OPERATION": "This user has no account, and new accounts are off."
        case "OPERATION_NOT_ALLOWED":
            "That is not allowed. An account keeps its last provider: without one, no sign-in could reach it."
        case "CREDENTIAL_TOO_OLD_LOGIN_AGAIN":
            "The last sign-in was too long ago for this. Sign in again and repeat it."
        case "MISSING_OR_INVALID_NONCE": "The ID token was not made for this sign-in."
        case "INVALID_IDP_RESPONSE": "What the provider gave was not valid for this account, or was used before."
        case "TOO_MANY_ATTEMPTS_TRY_LATER": "That was too often within a minute. Wait a little."
        case "USER_NOT_FOUND": "The account does not exist any more."
        case "USER_DISABLED": "The account is disabled."
        case "TOKEN_EXPIRED", "INVALID_ID_TOKEN": "This session has ended. Sign in again."
        default: "The broker refused it."
        }
    }
}
