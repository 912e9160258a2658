// SPDX-License-Identifier: Apache-2.0

/// A request whose texts differ between sign-ins.
package struct RequestTemplate: Sendable, Hashable {
    private struct FormField: Sendable, Hashable {
        let name: String
        let value: Template
    }

    /// The method.
    package let method: String
    private let headers: FieldTemplates
    private let path: Template
    private let form: [FormField]

    /// Reads the request of a step.
    ///
    /// - Throws: ``TargetFileError``.
    package init(_ step: TargetFile.Step, fixed: [String: String]) throws(TargetFileError) {
        method = step.method ?? "GET"
        path = try Template(step.path ?? "/", fixed: fixed)
        var headers = try FieldTemplates(step.headers, fixed: fixed)
        var form: [FormField] = []
        for (name, value) in (step.form ?? [:]).sorted(by: { $0.key < $1.key }) {
            form.append(FormField(name: name, value: try Template(value, fixed: fixed)))
        }
        if !form.isEmpty {
            headers.append(HTTP1Message.Field(name: "content-type", value: "application/x-www-form-urlencoded"))
        }
        self.form = form
        self.headers = headers
    }

    /// Returns the request target of one sign-in.
    package func target(_ values: SignInValues) -> String { path.text(values) }

    /// Returns the additional header fields of one sign-in.
    package func fields(_ values: SignInValues) -> [HTTP1Message.Field] { headers.fields(values) }

    /// Returns the body of one sign-in; `nil` if the request has none.
    package func body(_ values: SignInValues) -> String? {
        guard !form.isEmpty else { return nil }
        return form.map { "\($0.name)=\(URLText.percentEncoded($0.value.text(values)))" }.joined(separator: "&")
    }
}
