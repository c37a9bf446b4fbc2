import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LOAN_CHANGES_LIMIT } from "../../../src/worker/lending/loan-status.ts";
import { formOf, jsonOf } from "../../support/worker/accounts.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { lender } from "../../support/worker/lending.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { deleted, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const SECRET = "a secret of two services";
const service = testService({ LENDING_SECRET: SECRET });
const { borrower, item } = lender();
let admin: LoggedIn;
let patron: LoggedIn;

beforeAll(async () => {
  service.now = Date.now();
  await addItem("foo00bar", ["inlibrary"]);
  await service.load(
    work(1, { title: "Foo", subjects: ["In library", "Science Fiction", "Lending library"] }),
    edition(1, { work: 1, ocaid: "foo00bar", title: "Foo: a bar?" }),
    edition(2, { work: 1 }),
    edition(3, { work: 1 }),
    deleted("/books/OL4M", 1),
  );
  admin = await loggedIn(service, "loan_admin", { groups: ["admin"] });
  patron = await loggedIn(service, "loan_patron");
});

describe("GET /books/OL1M/_borrow_status", () => {
  const free = {
    id: "/books/OL1M",
    loan_available: true,
    available_formats: ["bookreader"],
    lending_subjects: ["Lending library", "In library"],
  };

  it.each(["/books/OL1M/_borrow_status", "/books/OL1M/x/_borrow_status"])("%s", async (path) => {
    const response = await service.fetch(path);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual(free);
  });
});

it.each<[who: "a client" | "a patron" | "an administrator", path: string, status: number]>([
  ["a client", "/books/OL4M/_borrow_status", 404],
  ["a client", "/books/OL404M/_borrow_status", 404],
  ["a client", "/services/loans/loan?action=changes&limit=0", 422],
  ["a patron", "/books/OL1M/borrow_admin", 403],
  ["an administrator", "/books/OL2M/borrow_admin", 409],
  ["an administrator", "/books/OL404M/borrow_admin", 404],
])("refuses %s GET %s with %d", async (who, path, status) => {
  const users = { "a client": service, "a patron": patron, "an administrator": admin };
  expect((await users[who].fetch(path)).status).toBe(status);
});

describe("GET /is_loaned_out/{resource_id}", () => {
  it("returns a row for every open loan", async () => {
    const ocaid = await item({ copies: 2 });
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    const loans = [await ann.open(ocaid, "borrow"), await ben.open(ocaid, "borrow")];
    const rows = await service.json(`/is_loaned_out/bookreader:${ocaid}`);
    const expected = loans.map((loan) => {
      const { uuid, expiry } = loan.ok ? loan.value : { uuid: "", expiry: 0 };
      const until = new Date(expiry ?? 0).toISOString().slice(0, 19);
      return { resourceid: uuid, until, loanuntil: until, returned: "F" };
    });
    expect(rows).toEqual(expect.arrayContaining(expected));
    expect(rows).toHaveLength(2);
    await ann.close(ocaid);
    expect(await service.json(`/is_loaned_out/bookreader:${ocaid}`)).toHaveLength(1);
  });

  it.each(["/is_loaned_out/bookreader:nope", "/is_loaned_out/acs:x", "/is_loaned_out", "/is_loaned_out/"])(
    "%s: none",
    async (path) => {
      const response = await service.fetch(path);
      const final =
        response.status < 300 ? response : await service.fetch(response.headers.get("Location") ?? "");
      expect(await final.json()).toEqual([]);
    },
  );
});

it("GET /ia_loan_status/{ocaid} reports no loan of an unknown item", async () => {
  const answer = { identifier: "nope", checkedout: false, has_loan: false, has_waitinglist: false };
  expect(await service.json("/ia_loan_status/nope")).toEqual(answer);
});

describe("GET /services/loans/loan", () => {
  const feed = async (query: string, init?: RequestInit) =>
    Object(await service.json(`/services/loans/loan?action=changes${query}`, init));

  it("lists loans and returns in order, with names for the operator only", async () => {
    const before = (await feed("&limit=1000")).latest_uid;
    const ocaid = await item();
    const ann = borrower("Ann");
    const loan = await ann.open(ocaid, "borrow");
    const { uuid = "", loanedAt = 0, expiry = 0 } = loan.ok ? loan.value : {};
    await ann.close(ocaid);
    const text = (time: number) => new Date(time).toISOString().slice(0, 19).replace("T", " ");
    const { status, rows, latest_uid: latest } = await feed(`&after_uid=${before}`);
    expect(status).toBe("OK");
    expect(rows).toEqual([
      {
        time: text(loanedAt),
        identifier: ocaid,
        username: null,
        loan_id: uuid,
        event_type: "borrow",
        extra: JSON.stringify({ until: text(expiry ?? 0) }),
        uid: expect.any(Number),
      },
      expect.objectContaining({ event_type: "return", identifier: ocaid, username: null, extra: "{}" }),
    ]);
    expect(latest).toBe(rows[1].uid);
    expect(await feed(`&after_uid=${latest}`)).toEqual({ status: "OK", latest_uid: latest, rows: [] });
    expect((await feed(`&after_uid=${before}&limit=1`)).rows).toHaveLength(1);
    const operator = { headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` } };
    const named = (await feed(`&after_uid=${before}`, operator)).rows;
    expect(named.map(({ username }: { username: string }) => username)).toEqual([ann.name, ann.name]);
  });

  it("refuses wrong tokens and other actions", async () => {
    const wrong = { headers: { Authorization: "Bearer wrong" } };
    expect((await service.fetch("/services/loans/loan?action=changes", wrong)).status).toBe(403);
    const response = await service.fetch("/services/loans/loan?action=borrow_book");
    expect([response.status, await response.json()]).toMatchObject([400, { status: "error" }]);
  });

  it("caps large limits", async () => {
    expect((await feed(`&limit=${LOAN_CHANGES_LIMIT.max + 1}`)).status).toBe("OK");
  });
});

describe("/books/OL1M/borrow_admin", () => {
  it("shows administrators loans and queue, and ends loans", async () => {
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    const loan = await ann.open("foo00bar", "borrow");
    await ben.join("foo00bar");
    const uuid = loan.ok ? loan.value.uuid : "";
    for (const path of ["/books/OL1M/borrow_admin", "/books/OL1M/borrow_admin_no_update"]) {
      expect(await admin.json(path)).toMatchObject({
        edition: "/books/OL1M",
        loans: [{ uuid, user: `/people/${ann.name}`, _key: "loan-foo00bar", fulfilled: 1 }],
        waitinglist: [{ user_key: `/people/${ben.name}`, status: "waiting", position: 1, wl_size: 1 }],
        status: { active_borrows: 1, available_lendable_copies: 0, users_on_waitlist: 1 },
      });
    }
    const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      admin.fetch("/books/OL1M/borrow_admin", formOf(fields, headers));
    expect((await post({ action: "delete", loan_key: "x" })).status).toBe(404);
    expect((await post({ action: "explode" })).status).toBe(422);
    const answer = await post({ action: "delete", loan_key: "loan-foo00bar" });
    expect(await answer.json()).toMatchObject({
      loans: [],
      waitinglist: [{ status: "available", expiry: expect.any(String) }],
      status: { copies_reserved_for_waitlist: 1, available_to_borrow: false },
    });
    expect(await ann.loans()).toEqual([]);
    const page = await post({ action: "update_loan_info" }, { Accept: "text/html" });
    expect([page.status, page.headers.get("Location")]).toEqual([303, "/books/OL1M/borrow_admin"]);
    await ben.leave("foo00bar");
  });

  it("requires the uuid when several patrons have a copy", async () => {
    const ocaid = await item({ copies: 2 });
    await service.load(edition(5, { work: 1, ocaid }));
    const [ann, ben] = [borrower("ann"), borrower("ben")];
    const loan = await ann.open(ocaid, "borrow");
    await ben.open(ocaid, "borrow");
    const remove = (name: string) =>
      admin.fetch("/books/OL5M/borrow_admin", formOf({ action: "delete", loan_key: name }));
    expect((await remove(`loan-${ocaid}`)).status).toBe(409);
    expect((await remove(loan.ok ? loan.value.uuid : "")).status).toBe(200);
    expect(await ann.loans()).toEqual([]);
    expect(await ben.loans()).toHaveLength(1);
  });
});

describe("POST /borrow/notify", () => {
  async function signed(ocaid: string, expiry: number, secret = SECRET) {
    const msg = `${ocaid}|${expiry}`;
    const encoder = new TextEncoder();
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(msg)));
    return { msg, digest: mac.toHex() };
  }
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    service.fetch("/borrow/notify", jsonOf(body, headers));
  const later = () => Math.floor(service.now / 1000) + 60;

  it("accepts a signature in headers or in the body", async () => {
    const signature = await signed("foo00bar", later());
    const response = await send({ identifier: "foo00bar" }, signature);
    expect([response.status, await response.json()]).toEqual([202, { status: "ok" }]);
    expect((await send({ identifier: "foo00bar", ...signature })).status).toBe(202);
  });

  it("refuses unsigned, expired and foreign messages", async () => {
    const good = await signed("foo00bar", later());
    const attempts = [
      {},
      await signed("foo00bar", later(), "another secret that is long"),
      await signed("foo00bar", later() - 120),
      await signed("other", later()),
      { ...good, digest: `${good.digest}00` },
      { ...good, digest: "zz" },
      { ...good, msg: `${good.msg}|1` },
    ];
    for (const attempt of attempts) {
      expect((await send({ identifier: "foo00bar", ...attempt })).status).toBe(401);
    }
  });

  it.each(["", "{", "[]", '{"identifier":""}', '{"identifier":7}'])("answers 400 for %j", async (body) => {
    expect((await service.fetch("/borrow/notify", { method: "POST", body })).status).toBe(400);
  });

  it("answers 503 without a secret", async () => {
    const body = JSON.stringify({ identifier: "foo00bar" });
    expect((await testService().fetch("/borrow/notify", { method: "POST", body })).status).toBe(503);
  });
});

describe("/borrow/receive_notification", () => {
  const send = (body: string) => service.json("/borrow/receive_notification", { method: "POST", body });

  it("reports whether it could parse the message", async () => {
    expect(await send("<notification><fulfilled>true</fulfilled></notification>")).toEqual({ success: true });
    expect(await send("<a>")).toEqual({ success: false, error: "Line 1: the element a is not closed" });
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>';
    expect(await send(bomb)).toMatchObject({ success: false });
  });
});
