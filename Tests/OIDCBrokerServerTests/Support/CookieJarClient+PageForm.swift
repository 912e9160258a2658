// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerPages
import TestingSupport

extension CookieJarClient {
    /// Submits a page's form, with the fields that a person fills in.
    func submit(_ form: PageForm, of page: Page, _ fields: [(String, String)] = []) async throws -> Page {
        try await post(form.hidden + fields, to: form.action, of: page)
    }
}
