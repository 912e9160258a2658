// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An authorization response in the fragment of the callback URL, as the broker's own page posts it: a form with the
/// text of the fragment as its only field, so that it cannot be confused with a provider's form.
struct FragmentResponse {
    private static let name: WireText = "fragment"

    private let text: WireText

    /// Reads a form; `nil` if it is any other form.
    init?(_ form: Parameters) {
        guard form.all.count == 1, let field = form.all.first, field.name == Self.name else { return nil }
        text = field.value
    }

    /// Returns the parameters of the fragment, which are encoded as in a query and read as strictly (OAuth 2.0 Multiple
    /// Response Type Encoding Practices section 2.1). Their length is bounded by that of the form.
    func parameters() throws(ParametersError) -> Parameters {
        try FormURLEncoding.parse(text.utf8)
    }
}
