// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBrokerConfiguration
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState

// What is logged of what an app did not get because it was too long.
extension HandedClaims.Bounded {
    /// Logs the names of the claims that were left out.
    /// - Parameter login: The reference of the login; `nil` if there is none.
    func logLeftOut(provider: ProviderEntry, app: AppEntry, login: PageReference? = nil, in context: RequestContext) {
        guard !leftOut.isEmpty, let repetition = context.services.repetition(of: .longClaims, login: login) else {
            return
        }
        context.logger.info(
            "claims omitted: too long for the tokens of the app",
            metadata: repetition.merging([
                "auth.claims": "\"\(leftOut.joined(separator: " "))\"",
                "auth.provider": "\(provider.id)", "auth.app": "\(app.configuration.name)",
            ]) { own, _ in own })
    }
}

extension HandOffRecord {
    /// Logs the names of members of `upstream` that were omitted, if there are any.
    func log(omitted: [String], provider: ProviderEntry, app: AppEntry, in context: RequestContext) {
        guard !omitted.isEmpty, let repetition = context.services.repetition(of: .longUpstream, login: reference) else {
            return
        }
        context.logger.info(
            "upstream claims omitted: too long",
            metadata: repetition.merging([
                "auth.omitted": "\(omitted.joined(separator: " "))", "auth.provider": "\(provider.id)",
                "auth.app": "\(app.configuration.name)",
            ]) { own, _ in own })
    }
}
