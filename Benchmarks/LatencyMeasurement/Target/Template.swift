// SPDX-License-Identifier: Apache-2.0

/// A text with variables, parsed once.
package struct Template: Sendable, Hashable {
    private enum Segment: Sendable, Hashable {
        case literal(String)
        case variable(SignInVariable)
    }

    private let segments: [Segment]

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - text: The text. `${NAME}` is a variable; a `$` before anything else stands for itself.
    ///   - fixed: The variables that are already known, which take precedence over those of a sign-in.
    /// - Throws: ``TargetFileError/unknownVariable(_:)``.
    package init(_ text: String, fixed: [String: String]) throws(TargetFileError) {
        var segments: [Segment] = []
        var literal = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "$") {
            literal += rest[..<mark]
            rest = rest[mark...]
            guard rest.hasPrefix("${"), let end = rest.firstIndex(of: "}") else {
                literal += "$"
                rest = rest.dropFirst()
                continue
            }
            let name = String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
            rest = rest[rest.index(after: end)...]
            if let value = fixed[name] {
                literal += value
            } else if let variable = SignInVariable(rawValue: name) {
                if !literal.isEmpty { segments.append(.literal(literal)) }
                literal = ""
                segments.append(.variable(variable))
            } else {
                throw .unknownVariable(name)
            }
        }
        literal += rest
        if !literal.isEmpty { segments.append(.literal(literal)) }
        self.segments = segments
    }

    /// Returns the text of one sign-in.
    package func text(_ values: SignInValues) -> String {
        if segments.count == 1, case .literal(let text) = segments[0] { return text }
        var result = ""
        for segment in segments {
            switch segment {
            case .literal(let text): result += text
            case .variable(let variable): result += values[variable]
            }
        }
        return result
    }

    /// The variables in the order in which they occur.
    package var variables: [SignInVariable] {
        segments.compactMap { segment in
            guard case .variable(let variable) = segment else { return nil }
            return variable
        }
    }

    /// Returns a text that must be the same for every sign-in.
    ///
    /// - Throws: ``TargetFileError/unknownVariable(_:)``, also for a variable of a sign-in.
    package static func expanded(_ text: String, fixed: [String: String]) throws(TargetFileError) -> String {
        let template = try Template(text, fixed: fixed)
        if let variable = template.variables.first { throw .unknownVariable(variable.rawValue) }
        return template.text(SignInValues(state: "", nonce: ""))
    }
}
