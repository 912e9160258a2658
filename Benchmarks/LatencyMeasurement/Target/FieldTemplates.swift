// SPDX-License-Identifier: Apache-2.0

/// Header fields whose values may differ between sign-ins.
package struct FieldTemplates: Sendable, Hashable {
    private struct Field: Sendable, Hashable {
        let name: String
        let value: Template
    }

    /// Those that are the same for all sign-ins, which are most.
    private var constant: [HTTP1Message.Field] = []
    private var differing: [Field] = []

    /// Reads the header fields of a step.
    ///
    /// - Throws: ``TargetFileError``.
    package init(_ headers: [String: String]?, fixed: [String: String]) throws(TargetFileError) {
        for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            let template = try Template(value, fixed: fixed)
            if template.variables.isEmpty {
                let text = template.text(SignInValues(state: "", nonce: ""))
                constant.append(HTTP1Message.Field(name: name.lowercased(), value: text))
            } else {
                differing.append(Field(name: name.lowercased(), value: template))
            }
        }
    }

    /// Adds a field that is the same for all sign-ins.
    mutating func append(_ field: HTTP1Message.Field) { constant.append(field) }

    /// Returns the fields of one sign-in.
    package func fields(_ values: SignInValues) -> [HTTP1Message.Field] {
        guard !differing.isEmpty else { return constant }
        return constant + differing.map { HTTP1Message.Field(name: $0.name, value: $0.value.text(values)) }
    }
}
