import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Access } from "../../../src/worker/http/operation.ts";
import { concretePath } from "../../../src/worker/http/paths.ts";
import { ROUTES } from "../../../src/worker/routes.ts";
import { type RoleName, ALLOWED, CALLED, ROLES } from "../../support/access/roles.ts";
import { newAddress } from "../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { testService } from "../../support/worker/service.ts";

// Every route of the table, called in the roles next to its access level on both sides (docs/access.md). What the levels
// say of each role is held by test/unit/worker/access-levels.test.ts.

/** Ends the session that the other calls need. */
const ENDS_SESSIONS = new Set(["/account/logout"]);

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
const headers = new Map<RoleName, Record<string, string>>();

beforeAll(async () => {
  const patrons: [RoleName, Promise<LoggedIn>][] = [];
  const add = async (role: RoleName, what: Parameters<typeof loggedIn>[2]): Promise<void> => {
    patrons.push([role, Promise.resolve(await loggedIn(service, `role_${role.replace("-", "_")}`, what))]);
  };
  await add("patron", {});
  await add("blocked", { status: "blocked" });
  await add("api", { groups: ["api"] });
  await add("bot", { bot: true });
  await add("librarian", { groups: ["librarians"] });
  await add("super-librarian", { groups: ["super-librarians"] });
  await add("maintainer", { groups: ["maintainers"] });
  await add("admin", { groups: ["admin"] });
  headers.set("anonymous", {});
  headers.set("operator", { Authorization: `Bearer ${env.LOAD_TOKEN}` });
  headers.set("cover-writer", { Authorization: `Bearer ${env.COVERS_SECRET}` });
  for (const [role, patron] of patrons) headers.set(role, (await patron).headers);
});

/** Checks if the response refuses access: 401, 403, or a redirect to the login. */
async function isRefused(response: Response): Promise<boolean> {
  if (response.status === 401) return true;
  if (response.headers.get("Location")?.startsWith("/account/login?redirect=") === true) return true;
  if (response.status === 303)
    return (response.headers.get("Location") ?? "").startsWith("/account/login?redirect=");
  if (response.status !== 403) return false;
  const text = await response.text();
  // Imports tell others nothing.
  if (text === "") return true;
  const body: { detail?: string; message?: string } = JSON.parse(text);
  return (
    body.detail === "Insufficient permissions" ||
    body.detail === "The token is not valid." ||
    body.message === "Permission Denied."
  );
}

/** Asks for a name and a password itself, to which a token is a wrong answer (Q382). */
const ASKS_ITSELF = "/api/ils_cover_upload";

/** These ask for a session, or a name and a password, themselves: their refusal is a document of its own kind. */
const OWN_FEEDS = /^\/opds\/(?:loans|shelves)\b/;

/** These ask for a sync key or the secret of an app, which no role has: their own tests call them. */
const ASKS_FOR_KEY = /^\/providers\/kosync\/|^\/oauth2\/(?:token|revoke)$/;

const called = ROUTES.filter(({ path }) => !ENDS_SESSIONS.has(path) && !ASKS_FOR_KEY.test(path));
const routes = called.map((route) => {
  const path = concretePath(route.path, "OL").replace(/\{\w+(?::path)?\}/g, "7");
  const access: Access = OWN_FEEDS.test(route.path) ? "session" : route.access;
  return { name: `${route.method} ${route.path}`, path, route, access };
});

describe.each(ROLES)("as %s", (role) => {
  const credentials = (): Record<string, string> => headers.get(role) ?? {};

  it("passes the routes of its access levels only", async () => {
    const wrong: string[] = [];
    for (const { name, path, route, access } of routes.filter((one) => CALLED[one.access].includes(role))) {
      // A body that no operation accepts, so that the call changes nothing.
      const body =
        route.method === "GET" ? {} : { body: "[]", headers: { "Content-Type": "application/json" } };
      const response = await service.fetch(path, {
        ...body,
        method: route.method,
        // An address may send only a few wrong tokens.
        headers: { ...credentials(), ...body.headers, "CF-Connecting-IP": newAddress() },
      });
      const hasToken = "Authorization" in credentials();
      const refused = !(hasToken && route.path === ASKS_ITSELF) && (await isRefused(response));
      if (response.status >= 500 && response.status !== 503) wrong.push(`${name}: ${response.status}`);
      if (refused === ALLOWED[access].includes(role)) {
        wrong.push(`${name} (${access}): ${refused ? "refused" : "let in"} with ${response.status}`);
      }
      if (!response.bodyUsed) await response.body?.cancel();
    }
    expect(wrong).toEqual([]);
  });
});

it("routes of development answer 404 in production", async () => {
  const deployed = testService({ ENVIRONMENT: "production" });
  for (const { path, route } of routes) {
    if (route.access !== "development") continue;
    const response = await deployed.fetch(path, { method: route.method, headers: headers.get("admin") });
    expect([path, response.status]).toEqual([path, 404]);
  }
});
