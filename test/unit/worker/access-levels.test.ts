import { timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupKeyOf } from "../../../src/catalog/roles.ts";
import { requireAccess } from "../../../src/worker/http/access.ts";
import { Failure } from "../../../src/worker/http/failure.ts";
import type { Access, Actor, RequestContext } from "../../../src/worker/http/operation.ts";
import { type RoleName, ALLOWED, CALLED, ROLES } from "../../support/access/roles.ts";

const LEVELS = Object.keys(ALLOWED) as Access[];

it("docs/access.md lists the roles of each level", () => {
  const document = readFileSync(path.join(import.meta.dirname, "../../../docs/access.md"), "utf8");
  const rows = document.matchAll(/^\| `([\w-]+)` \| ([^|]+) \|/gm);
  const said = [...rows].map(([, level = "", roles = ""]) => [
    level,
    ROLES.filter((role) => roles === "everyone" || roles.split(", ").includes(role)),
  ]);
  expect(Object.fromEntries(said)).toEqual(ALLOWED);
});

/** Groups of the patrons who have a role. */
const GROUPS: Partial<Record<RoleName, string>> = {
  api: "api",
  librarian: "librarians",
  "super-librarian": "super-librarians",
  maintainer: "maintainers",
  admin: "admin",
};
const TOKENS: Partial<Record<RoleName, string>> = { operator: "load-token", "cover-writer": "covers-secret" };

interface Options {
  readonly isReadOnly?: boolean;
  readonly environment?: string;
  readonly method?: string;
}

/** As much of a request in a role as the decision looks at. */
function requestIn(role: RoleName, options: Options = {}): RequestContext {
  const { isReadOnly = false, environment = "development", method = "POST" } = options;
  const token = TOKENS[role];
  // A blocked account has no session.
  const isPatron = token === undefined && role !== "anonymous" && role !== "blocked";
  const groups = [GROUPS[role] ?? [], isReadOnly ? "read-only" : []].flat().map(groupKeyOf);
  const actor: Pick<Actor, "key" | "bot" | "groups"> = {
    key: isPatron ? "/people/x" : null,
    bot: role === "bot",
    groups: new Set(isPatron ? groups : []),
  };
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const throttle = { wait: async () => 0, count: async () => undefined };
  const context = {
    request: new Request("http://carrel.test/", { method, headers }),
    url: new URL("http://carrel.test/"),
    client: "192.0.2.1",
    now: 0,
    settings: {
      ENVIRONMENT: environment,
      LOAD_TOKEN: TOKENS.operator,
      COVERS_SECRET: TOKENS["cover-writer"],
    },
    stores: { throttle: { getByName: () => throttle } },
    session: async () => (isPatron ? { key: actor.key } : undefined),
    actor: async () => actor,
  };
  return context as unknown as RequestContext;
}

/** The roles that pass a level. */
async function passing(access: Access, options: Options = {}): Promise<RoleName[]> {
  const passed: RoleName[] = [];
  for (const role of ROLES) {
    try {
      await requireAccess(access, requestIn(role, options));
      passed.push(role);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return passed;
}

describe("requireAccess", () => {
  // Node's Web Crypto lacks what the Workers runtime adds to it.
  beforeAll(() => {
    Object.assign(crypto.subtle, {
      timingSafeEqual: (a: ArrayBuffer, b: ArrayBuffer) =>
        timingSafeEqual(new Uint8Array(a), new Uint8Array(b)),
    });
  });
  afterAll(() => {
    Reflect.deleteProperty(crypto.subtle, "timingSafeEqual");
  });

  it.each(LEVELS)("lets only the roles of level %s pass", async (access) => {
    expect(await passing(access)).toEqual(ALLOWED[access]);
  });

  it.each([
    ["development", []],
    ["inspector", ["admin"]],
  ] as const)("lets %s pass on a deployed service: %j", async (access, roles) => {
    expect(await passing(access, { environment: "production" })).toEqual(roles);
  });

  it.each(["importer", "librarian", "super-librarian", "maintainer", "admin"] as const)(
    "lets no read-only account write at level %s",
    async (access) => {
      expect(await passing(access, { isReadOnly: true })).toEqual([]);
    },
  );

  it("lets read-only accounts with a role read", async () => {
    expect(await passing("admin", { isReadOnly: true, method: "GET" })).toEqual(["admin"]);
  });
});

describe("the callers of each route in tests", () => {
  it.each(LEVELS)("include both sides of level %s", (access) => {
    const [allowed, called] = [ALLOWED[access], CALLED[access]];
    const isPublic = allowed.length === ROLES.length;
    expect(called).toContain("anonymous");
    expect(called.some((role) => allowed.includes(role))).toBe(true);
    expect(called.some((role) => !allowed.includes(role))).toBe(!isPublic);
  });
});
