// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOHTTP1

/// The part of the sample app that is a web app: its page signs users in by popup and by redirect, and keeps their
/// tokens. The server of the app serves files, and nothing else.
///
/// | path | response |
/// | --- | --- |
/// | `GET /web` | the page |
/// | `GET /web/app.js` | what its buttons do |
/// | `GET /web/client.js` | how: by the Firebase SDK, or by a small client of our own |
/// | `GET /web/sdk-1.js` and so on | the files of the SDK, where the user has given any |
struct SampleAppWeb: Sendable {
    /// The path of the page.
    static let path = "/web"

    private let files: [(path: String, file: SampleAppFile)]

    /// Creates the part of an app.
    ///
    /// - Parameters:
    ///   - settings: What the page needs to know.
    ///   - sdk: The files of the SDK, in their order; none for our own client.
    init(_ settings: WebAppSettings, sdk: [String] = []) {
        var files: [(path: String, file: SampleAppFile)] = sdk.enumerated().map {
            ("\(Self.path)/sdk-\($0.offset + 1).js", .script($0.element))
        }
        let client = sdk.isEmpty ? WebAppScripts.client : WebAppScripts.sdkClient
        files.append((Self.path + "/client.js", .script(client)))
        files.append((Self.path + "/app.js", .script(WebAppScripts.app)))
        let page = SampleAppPages.webApp(settings, scripts: files.map(\.path))
        self.files = files + [(Self.path, page)]
    }

    /// Whether a path is one of this part.
    func handles(_ path: String) -> Bool {
        files.contains { path.hasSameBytes(as: $0.path) }
    }

    /// Responds to a request.
    func respond(to request: SampleAppRequest) -> SampleAppResponse {
        guard request.method == .GET else { return .page(SampleAppPages.notAllowed()) }
        guard let found = files.first(where: { request.path.hasSameBytes(as: $0.path) }) else {
            return .page(SampleAppPages.notFound())
        }
        return .file(found.file)
    }
}

/// What the page of the web app needs to know. All of it is public.
struct WebAppSettings: Sendable {
    /// The broker's public URL, which is an origin.
    let publicURL: String
    /// The broker's issuer, below which the handler and its script are.
    let brokerIssuer: String
    /// The API key of the web app.
    let apiKey: String
    /// The ID of the project.
    let projectID: String
}
