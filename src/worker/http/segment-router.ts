import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** Characters of Hono's patterns in a path. */
const PATTERN = /[:*{}?]/;

/**
 * Router for hundreds of routes. Building Hono's own routers from all of them takes longer than most first answers, so
 * this one builds one for each first segment of a path when it is first asked for: from the routes that begin with this
 * segment, and those that begin with a pattern. All other routes cannot match.
 */
export class SegmentRouter<Handler> implements Router<Handler> {
  readonly name = "SegmentRouter";
  private readonly routes: { segment: string; add: (router: Router<Handler>) => void }[] = [];
  private readonly segments = new Set<string>();
  private readonly routers = new Map<string, Router<Handler>>();

  add(method: string, path: string, handler: Handler): void {
    const segment = firstSegmentOf(path);
    this.segments.add(segment);
    this.routes.push({ segment, add: (router) => router.add(method, path, handler) });
  }

  match(method: string, path: string): Result<Handler> {
    const segment = firstSegmentOf(path);
    // Paths without a route of their own share a router, so that clients cannot make any number of them.
    const known = this.segments.has(segment) ? segment : "";
    const router = this.routers.get(known) ?? this.build(known);
    return router.match(method, path);
  }

  private build(segment: string): Router<Handler> {
    const router = new TrieRouter<Handler>();
    for (const route of this.routes) {
      if (route.segment === segment || PATTERN.test(route.segment)) route.add(router);
    }
    this.routers.set(segment, router);
    return router;
  }
}

function firstSegmentOf(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(1, end === -1 ? undefined : end);
}
