// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

extension SignInTicket {
    /// Returns the URL of the ticket, which the SDKs send back as they received it. Only this server reads it.
    /// - Parameter handlerURL: The URL of the handler page.
    func url(at handlerURL: String) -> String { "\(handlerURL)?\(Self.parameter)=\(text)" }

    /// Creates the ticket of a received URL; `nil` if it has none, or more than one.
    init?(of url: AbsoluteURL) {
        guard let query = url.query, let parameters = try? FormURLEncoding.parse(query[...]),
            let text = (try? parameters.nonEmptyValue(Self.parameter)) ?? nil
        else { return nil }
        self.init(text)
    }
}
