// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension Parameters {
    /// All parameters as strings: a provider for tests is asked by nobody but the tests.
    var strings: [(name: String, value: String)] {
        all.map { (name: $0.name.makeString(), value: $0.value.makeString()) }
    }
}
