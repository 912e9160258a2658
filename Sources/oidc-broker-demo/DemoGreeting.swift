// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting

/// The message that the demo prints when it runs.
enum DemoGreeting {
    /// Returns the URL to open, and the steps of the sign-in.
    static func text(_ environment: DemoEnvironment) -> String {
        guard environment.accountsDatabase == nil else { return accountsText(environment) }
        let user = DemoConfiguration.user
        let (name, buttons) = (environment.provider.name, environment.provider.buttons)
        let consent = Self.consent(environment.provider)
        let certificate = Self.certificate(environment)
        return """

            Everything runs. Open this URL in a browser:

                \(environment.appURL)/

            What will happen:

              1. The browser warns about the certificate, because it was made on this machine just now and no
                 authority signed it. Here that is expected: go on ("Advanced", then "Proceed" or "Accept"). Some browsers
                 ask again for each of the three ports. \(certificate)
              2. The sample app shows a page. Press "Sign in".
              3. The app sends the browser to the broker, which sends it on to \(name).
              4. Sign in there as the test user:

                     Email     \(user.email)
                     Password  \(user.password)

                 then press "\(buttons.allow)". Or press "\(buttons.deny)" to see what an app is told then.\(consent)
              5. The provider sends the browser back to the broker's callback URL, the broker redeems the code, verifies
                 the ID token, and hands the result to the app, once.
              6. The app shows what it received, which checks passed, and how long each step took.

            Sample app   \(environment.appURL)
            Broker       \(environment.brokerIssuer)
            Provider     \(environment.providerIssuer)

            ID tokens are signed with RS256 here, as most clients expect, by a key that was made for this run. An app with
            `id-token-algorithm: ES256` gets them with ES256.

            Press Ctrl-C to stop.

            """
    }

    /// Returns how long the certificate lives.
    static func certificate(_ environment: DemoEnvironment) -> String {
        environment.certificates.isTemporary
            ? "It lives as long as this run."
            : "It is kept as \(environment.certificates.certificatePath)."
    }

    /// Returns additional lines about a provider's consent page, indented like the other lines of that step.
    private static func consent(_ provider: DemoProvider) -> String {
        guard provider == .apple else { return "" }
        return """

                 The first time it asks for your name as well, and whether to hide your address; the next time it
                 does not. So does Apple. One more "Continue" sends the response back: Apple does that by script.
            """
    }
}
