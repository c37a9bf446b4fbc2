import { readFile, rename, writeFile } from "node:fs/promises";
import {
  DEVELOPMENT_ACCOUNTS,
  DEVELOPMENT_ADDRESSES,
  DEVELOPMENT_KEYS,
  DEVELOPMENT_NAMES,
  bootstrapLines,
} from "./bootstrap.mjs";

import { updateIndex } from "./index-client.mjs";
import { numbered, sendHoldings, sendLines } from "./load-client.mjs";
import { seedFile } from "./paths.mjs";

/** @import { Miniflare } from "miniflare" */

/**
 * Fills an empty state: types, groups and permissions, the development accounts, the languages, and unless `empty` the
 * starter catalog; then puts it all into the search index. An interrupted run is taken up again by the next one; a finished one is never repeated.
 * @param {Miniflare} runtime
 * @param {{ state: string, empty: boolean, token: string }} options
 */
export async function seed(runtime, { state, empty, token }) {
  const file = seedFile(state);
  if (await exists(file)) return;
  const started = `${file}.started`;
  if (!(await exists(started)) && (await hasRecords(runtime))) return;
  await writeFile(started, JSON.stringify({ empty }));
  const send = /** @type {typeof fetch} */ (/** @type {unknown} */ (runtime.dispatchFetch.bind(runtime)));
  /** @type {import("./service.mjs").Target} */
  const target = { url: "http://localhost", token, fetch: send, index: "later" };
  await sendLines(bootstrapLines({ development: true }), target);
  await createAccounts(target);
  const { languageLines, starterHoldings, starterLines } = await import("./starter.mjs");
  if (empty) {
    await sendLines(languageLines(), target);
  } else {
    // First, so that the index takes them in with the records.
    await sendHoldings(numbered(starterHoldings()), target, (line, reason) => {
      throw new Error(`starter/items.jsonl, line ${line}: ${reason}`);
    });
    const { created } = await sendLines(starterLines(), target);
    console.log(`loaded the starter catalog: ${created} records`);
  }
  await updateIndex(target, { quiet: true });
  await rename(started, file);
}

/** @param {string} file */
async function exists(file) {
  return (await readFile(file, "utf8").catch(() => undefined)) !== undefined;
}

/** @param {Miniflare} runtime */
async function hasRecords(runtime) {
  const catalog = await runtime.getD1Database("CATALOG");
  return (await catalog.prepare("SELECT 1 FROM change LIMIT 1").first()) !== null;
}

/** @param {import("./service.mjs").Target} target */
async function createAccounts({ url, token, fetch: send }) {
  const response = await send(`${url}/system/development-accounts`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      usernames: DEVELOPMENT_ACCOUNTS,
      displaynames: DEVELOPMENT_NAMES,
      emails: DEVELOPMENT_ADDRESSES,
      keys: DEVELOPMENT_KEYS,
    }),
  });
  if (!response.ok) throw new Error(`development accounts: ${response.status} ${await response.text()}`);
}
