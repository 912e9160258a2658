#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# AppAuth-JS 1.4.0 cannot be loaded by Node.js, for which its README offers it: the package became an ES module
# (`"type": "module"`), and its files still import each other without `.js`, which Node.js does not resolve. `import` and
# `require` both end in ERR_MODULE_NOT_FOUND, of the package itself and of its part for Node.js (`NodeRequestor`). A bundler
# adds the suffixes; 1.3.2, a CommonJS package, loads.
#
# Seen with @openid/appauth 1.4.0 and 1.3.2 on Node.js 20.20.2. Prints what loads, and fails if that changes. Needs Node.js
# 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/load.mjs" <<'JS'
import { createRequire } from 'node:module';

const [version, ...paths] = process.argv.slice(2);
const require = createRequire(`${process.cwd()}/`);
for (const path of paths) {
  for (const [how, load] of [['import', (name) => import(require.resolve(name))], ['require', async (name) => require(name)]]) {
    const result = await load(path).then(() => 'loads', (error) => error.code);
    console.log(`${version} ${how} ${path}: ${result}`);
  }
}
JS

load() { # version, paths
    mkdir "$folder/$1"
    cd "$folder/$1"
    printf '{"private": true}\n' >package.json
    npm install --silent --no-audit --no-fund --save-exact "@openid/appauth@$1"
    node "$folder/load.mjs" "$@"
}

seen=$(
    load 1.4.0 @openid/appauth @openid/appauth/built/src/node_support/index.js
    load 1.3.2 @openid/appauth @openid/appauth/built/node_support/index.js
)
printf '%s\n' "$seen"
expected="1.4.0 import @openid/appauth: ERR_MODULE_NOT_FOUND
1.4.0 require @openid/appauth: ERR_MODULE_NOT_FOUND
1.4.0 import @openid/appauth/built/src/node_support/index.js: ERR_MODULE_NOT_FOUND
1.4.0 require @openid/appauth/built/src/node_support/index.js: ERR_MODULE_NOT_FOUND
1.3.2 import @openid/appauth: loads
1.3.2 require @openid/appauth: loads
1.3.2 import @openid/appauth/built/node_support/index.js: loads
1.3.2 require @openid/appauth/built/node_support/index.js: loads"
[[ "$seen" == "$expected" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
