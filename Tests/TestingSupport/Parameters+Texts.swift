// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

extension Parameters {
    /// All parameters, to be expected as strings.
    package var texts: [(name: String, value: String)] {
        all.map { (name: $0.name.makeString(), value: $0.value.makeString()) }
    }

    /// The one value of a parameter, to be expected as a string.
    package func text(_ name: String) throws -> String? {
        try value(name)?.makeString()
    }
}
