import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ALLOWED, ROLES } from "../../support/access/roles.ts";

it("docs/access.md says who passes at each level", () => {
  const document = readFileSync(path.join(import.meta.dirname, "../../../docs/access.md"), "utf8");
  const rows = document.matchAll(/^\| `([\w-]+)` \| ([^|]+) \|/gm);
  const said = [...rows].map(([, level = "", roles = ""]) => [
    level,
    ROLES.filter((role) => roles === "everybody" || roles.split(", ").includes(role)),
  ]);
  expect(Object.fromEntries(said)).toEqual(ALLOWED);
});
