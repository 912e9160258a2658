// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Whether a body is a form: `application/x-www-form-urlencoded`, with UTF-8 or no charset, given once.
enum FormBody {
    static func isForm(_ fields: HTTPFields) -> Bool {
        let values = fields[values: .contentType]
        guard values.count == 1 else { return false }
        // How nearly everybody spells it.
        if values[0] == "application/x-www-form-urlencoded" { return true }
        let parts = values[0].lowercased().split(separator: ";").map { $0.trimming { $0 == " " || $0 == "\t" } }
        guard parts.first == "application/x-www-form-urlencoded" else { return false }
        return parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
    }
}

extension Substring {
    fileprivate func trimming(_ isSpace: (Character) -> Bool) -> Substring {
        var rest = drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
