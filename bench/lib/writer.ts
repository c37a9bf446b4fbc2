import { DEVELOPMENT_ACCOUNTS, bootstrapLines } from "../../scripts/lib/bootstrap.ts";
import { sendLines } from "../../scripts/lib/load-client.ts";
import { languageLines } from "../../scripts/lib/starter.ts";
import { catalogLines } from "./catalog.ts";
import { type Instance, TOKEN } from "./instances.ts";
import { login, post } from "./patrons.ts";

/** Account that may write and import. */
const WRITER = "openlibrary";

/** Loads the synthetic catalog and logs in a writer. Returns the `Cookie` header line. */
export async function prepareWriter({ url }: Instance, works: number) {
  const target = { url, token: TOKEN, fetch };
  await sendLines(bootstrapLines({ development: true }), target);
  await sendLines(languageLines(), target);
  await sendLines(catalogLines(works), target);
  await post(`${url}/system/development-accounts`, { usernames: DEVELOPMENT_ACCOUNTS });
  return `Cookie: ${await login(url, WRITER)}\r\n`;
}
