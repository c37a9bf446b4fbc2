import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { putTerms } from "../../support/worker/lending.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { ORIGIN, type TestService, testService } from "../../support/worker/service.ts";

const service = testService();
service.now = Date.now();
let ann: LoggedIn;
let ben: LoggedIn;

beforeAll(async () => {
  await service.load({ key: "/books/OL1M", type: "/type/edition", title: "Foo", ocaid: "lent00book" });
  await putTerms("lent00book", {});
  await putTerms("open00book", { collections: ["texts"] });
  for (const scan of ["lent00book", "open00book"]) {
    await env.ARCHIVE.put(`items/${scan}/book.pdf`, "the book", {
      httpMetadata: { contentType: "application/pdf" },
    });
  }
  [ann, ben] = [await loggedIn(service, "ann"), await loggedIn(service, "ben")];
});

async function authLink(who: LoggedIn, from: TestService = service): Promise<URL> {
  const response = await from.fetch("/books/OL1M/x/borrow", { headers: { ...who.headers } });
  return new URL(response.headers.get("Location") ?? "");
}

const FILE = "/stream/lent00book/book.pdf";

describe("/stream", () => {
  it("serves open items, and 404 for unknown ones", async () => {
    const page = await service.fetch("/stream/open00book");
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('href="/stream/open00book/book.pdf"');
    const file = await service.fetch("/stream/open00book/book.pdf");
    expect([file.status, file.headers.get("Content-Type"), await file.text()]).toEqual([
      200,
      "application/pdf",
      "the book",
    ]);
    expect(file.headers.get("Content-Security-Policy")).toMatch(
      /default-src 'none'.*; frame-ancestors 'none'; sandbox$/,
    );
    // R2 keys have at most 1024 bytes.
    const long = `/stream/open00book/${"%E6%9B%B8".repeat(400)}`;
    for (const path of ["/stream/nobody-knows-it", "/stream/open00book/other.pdf", long]) {
      expect((await service.fetch(path)).status, path).toBe(404);
    }
  });

  it("lets a borrower in by the link while the loan lasts", async () => {
    for (const path of ["/stream/lent00book", FILE]) {
      expect((await service.fetch(path)).status, path).toBe(403);
      expect((await ben.fetch(path)).status, path).toBe(403);
    }
    const link = await authLink(ann);
    const entered = await service.fetch(link.pathname + link.search);
    expect([entered.status, entered.headers.get("Location")]).toEqual([303, "/stream/lent00book"]);
    const [cookie = ""] = entered.headers.getSetCookie();
    expect(cookie).toMatch(/^loan-lent00book=.*Max-Age=1209600; HttpOnly; SameSite=Lax/);
    const secure = testService({ BASE_URL: "https://carrel.test" });
    secure.now = service.now;
    const [prefixed = ""] = (await secure.fetch(link.pathname + link.search)).headers.getSetCookie();
    expect(prefixed).toMatch(/^__Host-loan-lent00book=.*; Path=\/;(?!.*Domain).*; Secure$/);
    const [own = ""] = prefixed.split(";");
    expect((await secure.fetch(FILE, { headers: { Cookie: own } })).status).toBe(200);
    expect((await secure.fetch(FILE, { headers: { Cookie: own.replace("__Host-", "") } })).status).toBe(403);
    const headers = { Cookie: cookie.split(";")[0] ?? "" };
    const file = await service.fetch(FILE, { headers });
    expect([file.status, file.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
    expect((await ann.fetch(FILE)).status).toBe(200);
    expect(await (await ann.fetch("/stream/lent00book")).text()).toContain("Return this book");
    await ann.fetch("/books/OL1M/x/borrow?action=return");
    expect((await service.fetch(FILE, { headers })).status).toBe(403);
    expect((await service.fetch(link.pathname + link.search)).status).toBe(403);
  });

  it("refuses expired, forged and foreign links", async () => {
    const link = await authLink(ann);
    const changed = (name: string, value: string): string => {
      const other = new URL(link);
      other.searchParams.set(name, value);
      return other.pathname + other.search;
    };
    for (const path of [
      changed("uuid", "0".repeat(32)),
      changed("id", "open00book"),
      changed("token", "9999999999-00"),
      changed("token", (link.searchParams.get("token") ?? "").replace(/^\d/, "9")),
    ]) {
      expect((await service.fetch(path)).status, path).toBe(403);
    }
    const led = await service.fetch(changed("bookPath", "https://evil.test/"));
    expect(led.headers.get("Location")).toBe("/stream/lent00book");
    service.now += 601_000;
    expect((await service.fetch(link.pathname + link.search)).status).toBe(403);
    service.now -= 601_000;
    await ann.fetch("/books/OL1M/x/borrow?action=return");
  });

  it("redirects to an external reader with its own tokens", async () => {
    const elsewhere = testService({
      READER_URL: "https://reader.test/",
      READER_SECRET: "secret-of-the-other-reader",
    });
    elsewhere.now = service.now;
    const link = await authLink(ann, elsewhere);
    expect(link.origin + link.pathname).toBe("https://reader.test/bookreader/BookReaderAuth.php");
    expect(link.searchParams.get("token")).toMatch(/^\d{10}-[0-9a-f]{32}$/);
    const moved = await elsewhere.fetch("/stream/lent00book?ref=ol");
    expect(moved.headers.get("Location")).toBe("https://reader.test/stream/lent00book?ref=ol");
    await ann.fetch("/books/OL1M/x/borrow?action=return");
  });
});

describe("/ia_auth", () => {
  const ask = (path: string, headers: Record<string, string> = {}): Promise<unknown> =>
    service.json(`/ia_auth/${path}`, { headers });

  it("gives the next token to the borrower or for the current token", async () => {
    expect(await ask("-no-id")).toMatchObject({ success: false });
    expect(await ask("lent00book")).toMatchObject({
      success: false,
      msg: "This book is not on loan.",
    });
    const link = await authLink(ann);
    const [loan, token] = [link.searchParams.get("uuid") ?? "", link.searchParams.get("token") ?? ""];
    expect(await ask("lent00book")).toMatchObject({
      success: false,
      resolution: expect.stringContaining("login"),
    });
    expect(await ask("lent00book", ben.headers)).toMatchObject({
      msg: "Another reader has borrowed this book.",
    });
    const next = { success: true, token: expect.stringMatching(/^\d{10}-[0-9a-f]{64}$/) };
    expect(await ask("lent00book", ann.headers)).toEqual(next);
    expect(await ask(`lent00book?loan=${loan}&token=${token}`)).toEqual(next);
    expect(await ask(`lent00book?loan=${"0".repeat(32)}&token=${token}`)).toMatchObject({ success: false });
    const script = await service.fetch(`/ia_auth/lent00book?loan=${loan}&token=${token}&callback=cb`);
    expect(script.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).toMatch(/^cb \( \{"success":true,.*\} \);$/);
    expect(ORIGIN).toBe(link.origin);
    await ann.fetch("/books/OL1M/x/borrow?action=return");
  });
});
