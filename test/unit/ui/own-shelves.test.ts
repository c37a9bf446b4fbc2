import { expect, it, vi } from "vitest";
import type { RequestContext } from "../../../src/worker/http/operation.ts";
import { DEFAULT_SITE } from "../../../src/worker/http/pages/reader.ts";
import { writePage } from "../../../src/worker/http/pages/write-page.ts";
import { dropper } from "../../../src/worker/ui/dropper.ts";
import { page } from "../../../src/worker/ui/layout.ts";

/** A page with buttons of three works, as a reader of this name gets it, and how their shelves were looked up. */
async function shown(username: string | undefined) {
  const entries = vi.fn(async () => [{ work: 2, shelf: 3 }]);
  const headers = { Accept: "text/html", ...(username !== undefined && { Cookie: "session=x" }) };
  const url = new URL("http://carrel.test/search?q=x");
  // Members of the context that `writePage` reads.
  const context = {
    request: new Request(url, { headers }),
    url,
    cookies: [],
    settings: { BASE_URL: "", COVERS_PUBLIC_URL: "", COVER_FALLBACK_BASE: "", ARCHIVE_PUBLIC_URL: "" },
    stores: {
      assets: { fetch: async () => new Response("asset") },
      patron: { getByName: () => ({ shelves: { entries } }) },
    },
    site: async () => DEFAULT_SITE,
    session: async () => (username === undefined ? undefined : { username }),
  } as unknown as RequestContext;
  const body = [1, 2, 3, 2].map((id) => dropper({ key: `/works/OL${id}W`, title: `Work ${id}` }));
  const reply = await writePage(page({ title: "x", body, cacheControl: "public, max-age=60" }), context);
  return { html: String(reply.body), cacheControl: reply.cacheControl, calls: entries.mock.calls };
}

it("reads the reader's shelves for all works of a page in one call", async () => {
  const { html, cacheControl, calls } = await shown("ann");
  expect(calls).toEqual([[[1, 2, 3]]]);
  expect(html.match(/✓ Already read/g)).toHaveLength(2);
  expect(cacheControl).toBe("private, no-store");
});

it("reads nothing without a session", async () => {
  const { html, cacheControl, calls } = await shown(undefined);
  expect([calls, cacheControl]).toEqual([[], "public, max-age=60"]);
  expect(html).not.toContain("✓");
});
