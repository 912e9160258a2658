// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import OpenIDConnect

/// The log line and the count of a presented credential.
enum CredentialLog {
    /// Any client can act as a public app, so unsuccessful attempts are logged once a second; the counter counts each.
    static func write(_ outcome: Outcome, provider: ProviderEntry, app: String, in context: RequestContext) {
        Counter(label: "auth_credentials", dimensions: [("provider", provider.id), ("outcome", outcome.label)])
            .increment()
        let repetition: Logger.Metadata
        if let line = outcome.repeatableLine {
            guard let known = context.services.repetition(of: line, at: .credential, provider: provider.number) else {
                return
            }
            repetition = known
        } else {
            repetition = [:]
        }
        context.logger.log(
            level: outcome.logLevel, "an app brought a credential",
            metadata: [
                "auth.outcome": "\(outcome.label)", "auth.detail": "\(LogText.detail(outcome.detail))",
                "auth.provider": "\(provider.id)", "auth.app": "\(app)",
            ].merging(repetition) { own, _ in own })
    }
}
