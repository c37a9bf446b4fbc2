import { expect, it } from "vitest";
import * as z from "zod";
import { readImageHeader } from "../../../src/worker/covers/check-image.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();

it.each([
  ["/images/logo.svg", "/static/images/logo.svg"],
  ["/images/icons/book.svg", "/static/images/icons/book.svg"],
])("%s is the same file as %s", async (short, long) => {
  const [one, other] = await Promise.all([service.fetch(short), service.fetch(long)]);
  expect([one.status, other.status]).toEqual([200, 200]);
  const text = await one.text();
  expect(text).toContain("<svg");
  expect(await other.text()).toBe(text);
  for (const { headers } of [one, other]) {
    expect(headers.get("Content-Type")).toContain("image/svg+xml");
    expect(headers.get("Cache-Control")).toBe("public, max-age=3600");
  }
  const etag = one.headers.get("ETag");
  expect(etag).not.toBeNull();
  const again = await service.fetch(short, { headers: { "If-None-Match": etag ?? "" } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

it.each(["read", "borrow", "checked-out"])("the button “%s” for Koha exists", async (what) => {
  const response = await service.fetch(`/images/button-${what}-open-library.png`);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  expect(readImageHeader(await response.bytes())).toMatchObject({
    contentType: "image/png",
    width: 144,
    height: 32,
  });
});

it.each([
  "/images/none.png",
  "/images/icons",
  "/images/../docs.js",
  "/images/%2e%2e/docs.js",
  "/images/..%2fdocs.js",
])("answers 404 for %s", async (path) => {
  expect((await service.fetch(path)).status).toBe(404);
});

it("answers HEAD for pictures", async () => {
  const response = await service.fetch("/images/logo.svg", { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
  expect(response.headers.get("Content-Type")).toContain("image/svg+xml");
});

it("/opensearch.xml describes the search", async () => {
  const response = await service.fetch("/opensearch.xml");
  expect(response.headers.get("Content-Type")).toBe("application/opensearchdescription+xml; charset=utf-8");
  const text = await response.text();
  expect(text).toContain('xmlns="http://a9.com/-/spec/opensearch/1.1/"');
  expect(text).toContain(`template="${ORIGIN}/search?q={searchTerms}"`);
  expect(text).toContain(`template="${ORIGIN}/search.json?q={searchTerms}&amp;page={startPage?}"`);
});

it("/.well-known/api-catalog lists interfaces with their descriptions", async () => {
  const response = await service.fetch("/.well-known/api-catalog");
  expect(response.headers.get("Content-Type")).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(response.headers.get("Link")).toBe(`<${ORIGIN}/.well-known/api-catalog>; rel="api-catalog"`);
  const { linkset }: { linkset: Record<"anchor" | "service-desc", unknown>[] } = await response.json();
  expect(linkset).toHaveLength(8);
  for (const { anchor, "service-desc": links } of linkset) {
    const [{ href, type }] = z.tuple([z.object({ href: z.url(), type: z.string() })]).parse(links);
    const described = await service.fetch(href.slice(ORIGIN.length));
    expect([anchor, described.status, described.headers.get("Content-Type")]).toEqual([
      anchor,
      200,
      expect.stringMatching(new RegExp(`^${RegExp.escape(type)}(?:;|$)`)),
    ]);
  }
});

it("/.well-known/change-password redirects to the form", async () => {
  const response = await service.fetch("/.well-known/change-password");
  expect([response.status, response.headers.get("Location")]).toEqual([
    302,
    "/account/preferences/change_password",
  ]);
});

it("/.well-known/security.txt names the contact, stable for a day", async () => {
  const path = "/.well-known/security.txt";
  const reachable = testService({
    BASE_URL: "https://books.example",
    MAIL_FROM: "Books <desk@books.example>",
  });
  const response = await reachable.fetch(path);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toBe(
    `Contact: mailto:desk@books.example
Expires: 2027-05-20T00:00:00.000Z
Canonical: https://books.example${path}
`,
  );
  reachable.now += 11 * 3_600_000;
  expect(await (await reachable.fetch(path)).text()).toBe(text);
  reachable.now += 2 * 3_600_000;
  expect(await (await reachable.fetch(path)).text()).toContain("Expires: 2027-05-21T");
  expect((await service.fetch(path)).status).toBe(404);
});

it("/favicon.ico redirects to the icon", async () => {
  const response = await service.fetch("/favicon.ico");
  expect([response.status, response.headers.get("Location")]).toEqual([301, "/static/favicon.ico"]);
  const icon = await service.fetch("/static/favicon.ico");
  expect(new Uint8Array(await icon.arrayBuffer()).slice(0, 4)).toEqual(new Uint8Array([0, 0, 1, 0]));
});
