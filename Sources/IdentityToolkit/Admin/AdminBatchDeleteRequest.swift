// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OIDCBrokerHTTP

/// A request of an operator to delete several accounts.
struct AdminBatchDeleteRequest: Sendable {
    /// The maximum number of accounts.
    static let maximumAccounts = 1000

    /// The accounts, each with its place in the request. What is no identifier is left out: it is not there already.
    let accounts: [(index: Int, id: AccountID)]
    /// Whether they are deleted also if they are not disabled.
    let isForced: Bool

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        let texts = try body.texts(.localIds, atMost: Self.maximumAccounts)
        guard !texts.isEmpty else { throw ToolkitError(.missingLocalID) }
        accounts = texts.enumerated().compactMap { index, text in
            AccountID(text).map { (index, $0) }
        }
        isForced = try body.flag(.force) ?? false
    }

    /// The response, which names what is still there.
    func response(_ results: [AccountOperations.BatchDeletion]) -> BrokerResponse {
        let errors: [JSONValue] = zip(accounts, results).filter { $0.1 == .notDisabled }.map { account, _ in
            .object([
                "index": .number(JSONNumber(Int64(account.index))), "localId": .string(account.id.text),
                "message": "NOT_DISABLED : Disable the account before batch deletion.",
            ])
        }
        return BrokerResponse(errors.isEmpty ? JSONObject() : ["errors": .array(errors)])
    }
}
