import { TrieRouter } from "hono/router/trie-router";
import { expect, it } from "vitest";
import { pathPattern } from "../../../src/worker/http/paths.ts";
import { SegmentRouter } from "../../../src/worker/http/segment-router.ts";
import { ROUTES } from "../../../src/worker/routes.ts";

const routers = { trie: new TrieRouter<string>(), segment: new SegmentRouter<string>() };
for (const router of Object.values(routers)) {
  router.add("ALL", "/*", "middleware");
  for (const route of ROUTES) {
    const { hono } = pathPattern(route, "OL");
    router.add(route.method, hono, `${route.method} ${hono}`);
  }
}

/** Addresses that fit the routes: each placeholder is replaced by a word. */
const ADDRESSES = ROUTES.map((route) => pathPattern(route, "OL").hono)
  .map((path) => path.replace(/:s\d+(?:\{[^}]*\})?/g, "OL1W").replace("*", "a/b"))
  .concat(
    "/",
    "/unknown",
    "/works",
    "/works/OL1W.json",
    "/search.json",
    "/search.bib",
    "/a/b/c",
    "/*",
    "/:s0",
  );

it("finds the same routes as one router of them all, in the same order", () => {
  for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
    for (const address of new Set(ADDRESSES)) {
      const [found] = routers.segment.match(method, address);
      expect([address, found]).toEqual([address, routers.trie.match(method, address)[0]]);
    }
  }
});
