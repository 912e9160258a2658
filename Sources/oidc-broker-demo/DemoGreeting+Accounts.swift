// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import SignInWithAppleTesting

extension DemoGreeting {
    /// Returns the URLs to open with accounts, and what there is to try.
    static func accountsText(_ environment: DemoEnvironment) -> String {
        let users = DemoUser.allCases.map(\.account).map { user in
            "         \(user.name): \(user.email), password \(user.password)"
        }
        return """

            Everything runs, and the broker has accounts. Open this URL in a browser:

                \(environment.appURL)\(SampleAppAccounts.path)

            What there is to try:

              1. The browser warns about the certificate, because it was made on this machine just now and no
                 authority signed it. Here that is expected: go on ("Advanced", then "Proceed" or "Accept"). Some browsers
                 ask again for each port. \(certificate(environment))
              2. Sign in with \(DemoProvider.development.title). The app gets an ID token without a browser, as
                 an app on a device does, and calls the broker over HTTPS: there is a new account, and its uid.
              3. Link \(DemoProvider.apple.title). Sign out, sign in with that one: it is the same account.
              4. Sign out, sign in as the other user, and link \(DemoProvider.apple.title) as the first one:
                 that is refused, since it is in use.
              5. Unlink a provider. The last one cannot be unlinked: no sign-in could reach the account.
              6. Sign in by the browser too:

                     \(environment.appURL)/

                 Choose a provider there. The claim "account" is the same uid.
              7. Sign in from a web app, whose page keeps the tokens: by popup, and by redirect.

                     \(environment.appURL)\(SampleAppWeb.path)

                 It is the same account. With --sdk FILE the page uses the Firebase SDK for JavaScript.
              8. Delete the account. If Apple is linked, its grant is revoked first, with no sign-in in between.

            The users, at both providers:

            \(users.joined(separator: "\n"))

            Sample app   \(environment.appURL)
            Broker       \(environment.brokerIssuer)
            Providers    \(DemoProvider.development.name), at \(environment.providerIssuer),
                         and \(DemoProvider.apple.name)
            Database     \(environment.accountsDatabase ?? ""), which goes with this run

            Press Ctrl-C to stop.

            """
    }
}
