import { DEVELOPMENT_ACCOUNTS, bootstrapLines } from "../../scripts/lib/bootstrap.mjs";
import { sendLines } from "../../scripts/lib/load-client.mjs";
import { languageLines } from "../../scripts/lib/starter.mjs";
import { catalogLines } from "./catalog.mjs";
import { TOKEN } from "./instances.mjs";

/** @import { Instance } from "./instances.mjs" */

/** May write and import. */
const WRITER = "openlibrary";

/**
 * Loads a made-up catalog and logs a writer in; returns his `Cookie` header line.
 * @param {Instance} carrel
 * @param {number} works
 */
export async function prepareWriter({ url }, works) {
  const target = { url, token: TOKEN, fetch };
  await sendLines(bootstrapLines({ development: true }), target);
  await sendLines(languageLines(), target);
  await sendLines(catalogLines(works), target);
  await fetch(`${url}/system/development-accounts`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify({ usernames: DEVELOPMENT_ACCOUNTS }),
  });
  const response = await fetch(`${url}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: WRITER, password: WRITER }),
  });
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session="));
  if (cookie === undefined) throw new Error(`login: ${response.status} ${await response.text()}`);
  return `Cookie: ${cookie.split(";")[0]}\r\n`;
}
