// SPDX-License-Identifier: Apache-2.0

import Admission
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDConnect

/// A credential whose app and provider are known. Nothing of it is verified but ``claims``.
struct NativePresentation {
    let credential: NativeCredential
    let app: AppEntry
    let provider: ProviderEntry
    /// The API that the access token is for; `nil` for one for UserInfo alone.
    let resource: BrokerConfiguration.Resource?
    /// The configured claims of the verified ID token; none before it was verified.
    var claims = PickedClaims()

    /// The app's client IDs at this provider. At another provider they may belong to other apps.
    var audiences: [String] { app.configuration.nativeAudiences(at: provider.configuration) }

    /// The address of the client; `nil` for a confidential app, which is a server and speaks for many users.
    func client(of context: RequestContext) -> IPAddress? { app.isPublic ? context.client : nil }

    /// Reads the form of an authenticated app.
    init(_ form: Parameters, of app: AppEntry, in snapshot: BrokerSnapshot) throws(TokenError) {
        provider = try snapshot.provider(FormBody.value("provider", form), of: app)
        credential = try NativeCredential(form)
        self.app = app
        resource = try app.resource(FormBody.value("resource", form))
        guard !audiences.isEmpty else {
            throw TokenError("unauthorized_client", "The app has no native-audiences at this provider.")
        }
        guard credential.authorizationCode == nil || provider.behavior.exchangesNativeCodes else {
            throw TokenError(
                "invalid_request",
                "authorization_code cannot be exchanged: the provider has no team-id, key-id and private-key.")
        }
    }
}
