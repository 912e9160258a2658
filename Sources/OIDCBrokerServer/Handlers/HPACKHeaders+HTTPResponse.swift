// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHPACK

extension HPACKHeaders {
    /// Creates the head of a response (RFC 9113 section 8.3.2). Each field is indexed as it requests.
    init(_ response: HTTPResponse) {
        self.init()
        reserveCapacity(response.headerFields.count + 1)
        add(name: ":status", value: String(response.status.code))
        for field in response.headerFields {
            add(name: field.name.canonicalName, value: field.value, indexing: HPACKIndexing(field.indexingStrategy))
        }
    }
}

extension HPACKIndexing {
    fileprivate init(_ strategy: HTTPField.DynamicTableIndexingStrategy) {
        switch strategy {
        case .avoid: self = .nonIndexable
        case .disallow: self = .neverIndexed
        default: self = .indexable
        }
    }
}
