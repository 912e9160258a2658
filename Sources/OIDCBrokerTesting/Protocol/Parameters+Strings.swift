// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

extension Parameters {
    /// All parameters as strings. The provider is used only by tests, so that is safe here.
    package var strings: [(name: String, value: String)] {
        all.map { (name: $0.name.makeString(), value: $0.value.makeString()) }
    }

    /// The value of the first parameter of this name.
    package func first(_ name: String) -> String? { strings.first { $0.name == name }?.value }
}
