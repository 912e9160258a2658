// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// A provider's response in the fragment of the callback URL, as our own page posts it: one field with the fragment's text,
/// and no other, so that no form of a provider is taken for it.
struct FragmentResponse {
    private static let name: WireText = "fragment"

    private let text: WireText

    /// Nil for any other form.
    init?(_ form: Parameters) {
        guard form.all.count == 1, let field = form.all.first, field.name == Self.name else { return nil }
        text = field.value
    }

    /// The fragment's parameters, encoded as in a query and read as strictly (OAuth 2.0 Multiple Response Type Encoding
    /// Practices section 2.1). The form that brought them bounds their length.
    func parameters() throws(ParametersError) -> Parameters {
        try FormURLEncoding.parse(text.utf8)
    }
}
