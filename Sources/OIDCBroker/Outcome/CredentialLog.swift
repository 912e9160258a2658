// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import OpenIDConnect

/// The one log line and the one count of a credential that an app brought.
enum CredentialLog {
    static func write(_ outcome: Outcome, provider: String, app: String, to logger: Logger) {
        Counter(label: "auth_credentials", dimensions: [("provider", provider), ("outcome", outcome.label)]).increment()
        logger.log(
            level: outcome.logLevel, "an app brought a credential",
            metadata: [
                "auth.outcome": "\(outcome.label)", "auth.detail": "\(LogText.detail(outcome.detail))",
                "auth.provider": "\(provider)", "auth.app": "\(app)",
            ])
    }
}
