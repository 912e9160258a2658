// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
package import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty

extension Broker {
    /// Returns the response to a request that the connection refuses, in a form that its reader can use: for a form of a
    /// provider that is too long, a page; at an endpoint for apps, a response that the apps' web pages may read.
    /// Otherwise it returns the given response.
    package func refusal(_ response: BrokerResponse, of request: BrokerRequest) -> BrokerResponse {
        if response.head.status == .contentTooLarge, let page = self.response(toLongFormOf: request) { return page }
        let snapshot = current
        return CrossOrigin(request).allowing(
            response, before: RoutedTarget(request.path, snapshot.paths).endpoint, for: snapshot)
    }

    /// Returns the page for a form that is longer than ``BrokerLimits/maximumBodyBytes`` and is posted to where a provider
    /// sends its responses; `nil` for any other request. An operator is told, since no user can do anything about it.
    package func response(toLongFormOf request: BrokerRequest) -> BrokerResponse? {
        let snapshot = current
        guard request.method == .post, let target = request.path else { return nil }
        let path = WireText(target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)])
        let providers = snapshot.providers.filter { provider in
            provider.hasWebFlow && path.hasSameBytes(as: provider.callbackPath)
                && provider.relyingParty.configuration.responseMode.carrier != .query
        }
        guard !providers.isEmpty else { return nil }
        let line = services.line(.longForm, provider: providers.count == 1 ? providers.first?.number : nil)
        if let metadata = line.metadata {
            let detail =
                "the likely cause is a claim with many groups: let the provider send fewer claims, or set response-type "
                + "to code and response-mode to query"
            (request.logger ?? services.logger).warning(
                "response of the provider refused: its form is longer than \(limits.maximumBodyBytes) bytes",
                metadata: metadata.merging([
                    "auth.provider": "\(providers.map(\.id).joined(separator: ", "))",
                    "auth.detail": "\(LogText.detail(detail))",
                ]) { own, _ in own })
        }
        let language = request.headerFields[.acceptLanguage].flatMap { LanguagePreferences.best(of: $0.utf8) }
        let pages = Pages(texts: (language ?? .english).texts, theme: snapshot.theme)
        return .page(pages.failure(pages.texts.failed, status: .contentTooLarge, reference: line.reference))
    }
}
