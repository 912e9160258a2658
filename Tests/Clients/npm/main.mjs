// SPDX-License-Identifier: Apache-2.0
// Starts a module of this folder, which stands beside the packages of npm, and answers each line of JSON with another one.
import { webcrypto } from "node:crypto";
import { createInterface } from "node:readline";

// Debian 12 has Node.js 18, which has no global one.
globalThis.crypto ??= webcrypto;
const [name, settings] = process.argv.slice(2);
const { start, isRefusal } = await import(`./${name}.mjs`);
const calls = await start(JSON.parse(settings));
for await (const line of createInterface({ input: process.stdin })) {
  const [call, ...values] = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await calls[call](...values)) ?? null };
  } catch (error) {
    // Any other error ends the program.
    if (!isRefusal(error)) throw error;
    answer = { refused: String(error.code ?? error.name ?? error.message) };
  }
  console.log(JSON.stringify(answer));
}
// The timers of a library would keep it.
process.exit();
