import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { BARE_CSP } from "../../../src/worker/http/reply.ts";
import { staticLifetime } from "../../../src/worker/http/static-files.ts";

/** Returns the value of a header that `public/_headers` sets for a folder. */
const stated = (folder: string, name = "Cache-Control"): string | undefined => {
  const text = readFileSync(path.join(import.meta.dirname, "../../../public/_headers"), "utf8");
  const [, rules = ""] = text.split(`\n${folder}*\n`);
  return new RegExp(`^ {2}${name}: (.+)$`, "m").exec(rules.split("\n\n")[0] ?? "")?.[1];
};

it("static files have security headers", () => {
  // Browsers pass over it where the connection is another.
  expect(stated("/", "Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
  expect(stated("/", "X-Content-Type-Options")).toBe("nosniff");
  expect(stated("/", "Content-Security-Policy")).toBe(BARE_CSP);
});

it("static files have the headers that the build sends without the worker", () => {
  expect(staticLifetime("/static/images/logo.svg")).toBe("public, max-age=3600");
  expect(staticLifetime("/static/build/app.4f2a.js")).toBe("public, max-age=31536000, immutable");
  expect(stated("/static/")).toBe(staticLifetime("/static/x.js"));
  expect(stated("/static/build/")).toBe(staticLifetime("/static/build/x.js"));
});

it("other files have no headers", () => {
  expect(staticLifetime("/docs/search")).toBeUndefined();
});
