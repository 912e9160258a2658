// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty

extension BrokerAccess {
    /// Writes into the log that a request of an extension could not be answered, one line a second: clients repeat
    /// requests during a failure.
    /// - Parameters:
    ///   - operation: What was asked for, which is a name of the extension's and nothing that was received.
    ///   - error: What happened. Only the descriptions of errors that are known to contain nothing of a user are
    ///     written; of others, their types.
    ///   - safeDescription: A description of the error that contains nothing of a user; `nil` if there is none.
    package func noteFailure(in operation: String, _ error: any Error, safeDescription: String? = nil) {
        guard let repetition = context.services.repetition(of: .accountsUnavailable, at: .accounts) else { return }
        let detail = safeDescription ?? (error as? RelyingPartyError)?.description ?? "\(type(of: error))"
        context.logger.warning(
            "account request failed",
            metadata: [
                "auth.outcome": "accounts_unavailable", "auth.operation": "\(operation)",
                "auth.detail": "\(LogText.detail(detail))",
            ].merging(repetition) { own, _ in own })
    }

    /// Writes into the log that a new account has the email of an imported one.
    /// - Parameters:
    ///   - account: The identifier of the new account, which is ASCII.
    ///   - imported: The identifier of the imported account, escaped.
    package func noteImportedHolder(of account: String, _ imported: String) {
        context.noteImportedHolder(of: account, imported)
    }
}

extension RequestContext {
    /// Like ``BrokerAccess/noteImportedHolder(of:_:)``.
    func noteImportedHolder(of account: String, _ imported: String) {
        logger.notice(
            "a new account has the email of an imported account without an identity",
            metadata: ["auth.account": "\(account)", "auth.imported_account": "\(imported)"])
    }
}
