// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import OIDCBrokerTesting

/// Random steps on a store.
package enum AccountSequence {
    /// The policies under which sequences run.
    package static let policies = [
        AccountPolicy(),
        AccountPolicy(providersThatLinkByEmail: [
            LinkingProvider(id: "apple.com", issuer: "https://apple"),
            LinkingProvider(id: "google.com", issuer: "https://google"),
        ]),
        AccountPolicy(email: .separate),
        AccountPolicy(makesAccounts: true, operationsAfterRecentSignIn: [.delete, .link, .unlink], sessionIdleDays: 1),
    ]

    /// Runs a step on the model, which never fails otherwise than by a refusal.
    package static func run(
        _ step: AccountStep, _ operations: AccountOperations, on store: ModelAccountStore
    ) throws -> AccountStep.Answer {
        do {
            return try store.transact(.write) { try step.run(operations, in: $0) }
        } catch let refusal as AccountRefusal {
            return .refused(refusal)
        }
    }
}
