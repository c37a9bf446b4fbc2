import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LOAN_MS } from "../../../src/catalog/lending/loan.ts";
import { HISTORY_PAGES_MAX, HISTORY_PAGE_LIMIT } from "../../../src/worker/lending/loan-history.ts";
import { lender, putTerms } from "../../support/worker/lending.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, work } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
const lending = lender();
const HTML = { headers: { Accept: "text/html" } };
const JSON_ONLY = { headers: { Accept: "application/json" } };
let ann: LoggedIn;

/** Borrows as a patron with an account does. */
const open = (who: LoggedIn, ocaid: string, book = "/books/OL1M") =>
  lending.lending().open({ ocaid, book, kind: "borrow", borrower: { ...who, isPrintDisabled: false } });
const close = (who: LoggedIn, ocaid: string) => lending.lending().close(ocaid, who);

beforeAll(async () => {
  service.now = lending.clock.now;
  for (const ocaid of ["foo00bar", "bar00foo", "lonely"]) await putTerms(ocaid, {});
  await service.load(
    work(1, { title: "Foo" }),
    edition(1, { work: 1, ocaid: "foo00bar", title: "Foo & <b>bar</b>" }),
    edition(2, { work: 1, ocaid: "bar00foo", title: "Bar" }),
  );
  ann = await loggedIn(service, "Loan_Ann");
});

describe("GET /account/loans.json", () => {
  it("returns the loans with all their members, uncacheable", async () => {
    const patron = await loggedIn(service, "Loan_Ben");
    expect(await patron.json("/account/loans.json")).toEqual({ loans: [] });
    const loan = await open(patron, "foo00bar");
    const { uuid = "", loanedAt = 0 } = loan.ok ? loan.value : {};
    const response = await patron.fetch("/account/loans.json");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await response.json()).toEqual({
      loans: [
        {
          _key: "loan-foo00bar",
          _rev: 1,
          type: "/type/loan",
          user: "/people/Loan_Ben",
          userid: "@Loan_Ben",
          book: "/books/OL1M",
          ocaid: "foo00bar",
          uuid,
          loaned_at: loanedAt / 1000,
          expiry: new Date(loanedAt + LOAN_MS.borrow).toISOString().slice(0, 19),
          fulfilled: 1,
          resource_type: "bookreader",
          resource_id: "bookreader:foo00bar",
          loan_link: `${ORIGIN}/stream/foo00bar`,
          kind: "borrow",
        },
      ],
    });
    const json = await patron.fetch("/account/loans", JSON_ONLY);
    expect(Object(await json.json()).loans).toHaveLength(1);
    await close(patron, "foo00bar");
    expect(await patron.json("/account/loans.json")).toEqual({ loans: [] });
  });
});

describe("GET /account/loans", () => {
  it("redirects to the login, and shows loans and places", async () => {
    const anonymous = await service.fetch("/account/loans", HTML);
    expect(anonymous.headers.get("Location")).toBe("/account/login?redirect=%2Faccount%2Floans");
    const [patron, other] = [await loggedIn(service, "loan_cat"), await loggedIn(service, "loan_dan")];
    expect(await (await patron.fetch("/account/loans", HTML)).text()).toContain("No current loans");
    await open(patron, "foo00bar");
    await open(other, "bar00foo");
    const waiting = { ocaid: "bar00foo", book: "/books/OL2M" };
    await lending.lending().join({ ...waiting, borrower: { ...patron, isPrintDisabled: false } });
    const shown = await patron.fetch("/account/loans", HTML);
    expect(shown.headers.get("Content-Security-Policy")).toContain(`; form-action 'self' ${ORIGIN};`);
    const text = await shown.text();
    expect(text).not.toContain('<th scope="col"></th>');
    expect(text).toContain(">Foo &amp; &lt;b&gt;bar&lt;/b&gt;</cite></a>");
    expect(text).not.toContain("<b>bar</b>");
    expect(text).toContain('action="/books/OL1M/x/borrow"');
    expect(text).toContain('name="action" value="return"');
    expect(text).toContain("1 of 1");
    expect(text).toContain('value="leave-waitinglist"');
    await close(other, "bar00foo");
    const turn = await (await patron.fetch("/account/loans", HTML)).text();
    expect(turn).toContain("On hold for you");
    await lending.lending().leave("bar00foo", patron);
    await close(patron, "foo00bar");
  });

  it("shows flash messages once, escaped", async () => {
    const flash = encodeURIComponent(
      JSON.stringify([
        { type: "success", message: "Returned <i>" },
        { type: "error", message: "No" },
        { type: "success", message: "", words: "lending.place", values: { place: 2, of: "<i>" } },
      ]),
    );
    const Cookie = `${ann.headers.Cookie}; flash=${flash}`;
    const response = await service.fetch("/account/loans", { headers: { ...HTML.headers, Cookie } });
    const text = await response.text();
    expect(text).toContain('role="status"><p><span lang="en">Returned &lt;i&gt;</span></p>');
    expect(text).toContain("No");
    expect(text).toContain("number 2 of <bdi>&lt;i&gt;</bdi> in line");
    expect(response.headers.getSetCookie().join()).toMatch(/flash=;.*Max-Age=0/);
    for (const bad of ["%", "[]", "%7B%7D", "x"]) {
      const Cookies = `${ann.headers.Cookie}; flash=${bad}`;
      const shown = await service.fetch("/account/loans", { headers: { ...HTML.headers, Cookie: Cookies } });
      expect(shown.status).toBe(200);
    }
  });
});

describe("GET /account/loan-history.json", () => {
  it("lists returned loans, the last first, with the availability of their editions", async () => {
    const patron = await loggedIn(service, "loan_eve");
    for (const ocaid of ["foo00bar", "lonely"]) {
      await open(patron, ocaid);
      await close(patron, ocaid);
      lending.clock.now += 1000;
    }
    service.now = lending.clock.now;
    const answer = Object(await patron.json("/account/loan-history.json"));
    expect(answer).toEqual({
      loans_history: {
        docs: [
          { ocaid: "lonely", last_loan_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/), ia_only: true },
          expect.objectContaining({
            key: "/books/OL1M",
            title: "Foo & <b>bar</b>",
            availability: expect.objectContaining({ status: "borrow_available", identifier: "foo00bar" }),
            last_loan_date: expect.any(String),
          }),
        ],
        show_next: false,
        limit: HISTORY_PAGE_LIMIT,
        page: 1,
      },
    });
    const json = await patron.fetch("/account/loan-history", JSON_ONLY);
    expect(await json.json()).toEqual(answer);
    const page = await (await patron.fetch("/account/loan-history", HTML)).text();
    expect(page).toContain(">Foo &amp; &lt;b&gt;bar&lt;/b&gt;</cite></a>");
    expect(page).toContain("lonely");
    expect(page).not.toContain('rel="next"');
  });

  it("pages by 25", async () => {
    const patron = await loggedIn(service, "loan_fay");
    const items = Array.from({ length: HISTORY_PAGE_LIMIT + 1 }, (_, number) => `past${number}`);
    await env.PATRONS.prepare(
      "INSERT INTO loan_history (patron, ocaid, last_loan) SELECT ?1, value, key FROM json_each(?2)",
    )
      .bind(patron.username, JSON.stringify(items))
      .run();
    const page = async (number: number) =>
      Object(await patron.json(`/account/loan-history.json?page=${number}`)).loans_history;
    const [first, second, third] = [await page(1), await page(2), await page(3)];
    expect(first.docs.map(({ ocaid }: { ocaid: string }) => ocaid)).toEqual(
      Array.from({ length: HISTORY_PAGE_LIMIT }, (_, index) => `past${HISTORY_PAGE_LIMIT - index}`),
    );
    expect([first.show_next, second.show_next, second.docs.length, third.docs.length]).toEqual([
      true,
      false,
      1,
      0,
    ]);
    expect(await page(HISTORY_PAGES_MAX + 1)).toMatchObject({ docs: [], show_next: false });
    const html = await (await patron.fetch("/account/loan-history", HTML)).text();
    expect(html).toContain('rel="next" href="/account/loan-history?page=2"');
  });
});
