// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Testing

extension PageForm {
    /// Reads a page that has exactly one form, which is posted.
    init(_ page: HTTPBrowser.Page, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let forms = PageForm.all(in: page.body)
        try #require(forms.count == 1, "status \(page.status): \(page.body)", sourceLocation: sourceLocation)
        self = forms[0]
    }
}
