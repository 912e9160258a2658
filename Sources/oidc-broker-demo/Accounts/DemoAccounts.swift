// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer

/// What the demo with accounts consists of besides the broker.
enum DemoAccounts {
    /// The ID of the project, the audience of the ID tokens of accounts.
    static let projectID = "demo-accounts"
    /// What names the sample app in a request. It is public.
    static let apiKey = "sample-app-of-the-demo"
    /// What names the web app in a request. It is public.
    static let webAPIKey = "web-app-of-the-demo"
    /// The client ID that the sample app itself has at the development provider.
    static let nativeClientID = "sample-app"
    /// The bundle ID of the sample app, its client ID at the mock Apple.
    static let bundleID = "org.example.sample"

    /// Returns the configuration of the accounts.
    ///
    /// - Parameters:
    ///   - database: The path of the SQLite database.
    ///   - webApp: The host and port of the web app's pages.
    static func configuration(database: String, webApp: String) -> AccountsConfiguration {
        // Kept by the server of the sample app, but used as by an app on a device: without a browser, by a bundle ID.
        var app = SDKAppConfiguration(name: DemoConfiguration.appClientID, kind: .ios, apiKey: apiKey)
        app.nativeAudiences = [
            BrokerConfiguration.NativeAudience(provider: DemoProvider.development.wireID, audience: nativeClientID),
            BrokerConfiguration.NativeAudience(provider: DemoProvider.apple.wireID, audience: bundleID),
        ]
        var web = SDKAppConfiguration(name: "web", kind: .web, apiKey: webAPIKey)
        web.authorizedDomains = [webApp]
        return AccountsConfiguration(projectID: projectID, database: "sqlite:" + database, apps: [app, web])
    }
}
