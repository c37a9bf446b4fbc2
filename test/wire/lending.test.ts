import { describe, expect, it } from "vitest";
import { LENDING_ANSWER_BYTES, LendingFailure } from "../../src/worker/lending/service/remote-client.ts";
import type { AnswerCache } from "../../src/worker/http/kv-cache.ts";
import { type RemotePatrons, RemoteLending } from "../../src/worker/lending/service/remote.ts";
import { type Answer, testServer } from "../support/node/test-server.ts";

const server = testServer();
const ANN = { username: "Ann", isPrintDisabled: false };
const KEYS = { access: "a", secret: "s" };
const LOAN = {
  id: 7,
  userid: "@ann",
  identifier: "foo00bar",
  ol_key: "/books/OL1M",
  format: "bookreader",
  created: "2026-01-02 03:04:05",
  until: "2026-01-16 03:04:05",
  fulfilled: 1,
};
const HELD = {
  uuid: "loan-7",
  ocaid: "foo00bar",
  patron: "ann",
  book: "/books/OL1M",
  kind: "borrow",
  loanedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  expiry: Date.UTC(2026, 0, 16, 3, 4, 5),
};
const PLACE = {
  identifier: "foo00bar",
  userid: "@ann",
  status: "waiting",
  position: 2,
  wl_size: 3,
  since: "2026-01-02T03:04:05",
  last_update: "2026-01-02T03:04:05",
};

/** The other service as a test has it: answers by action or method. */
function answering(answers: Readonly<Record<string, Answer>>): void {
  server.answer = ({ url, body }) => {
    const { searchParams, pathname } = new URL(url, server.url);
    const name = searchParams.get("action") ?? new URLSearchParams(body).get("method") ?? pathname;
    return answers[name] ?? { status: 500, body: "" };
  };
}

function lending(keys: typeof KEYS | null = KEYS, kept = new Map<string, string>()) {
  const patrons: RemotePatrons = {
    useridOf: async (username) => `@${username.toLowerCase()}`,
    patronsOf: async (userids) =>
      new Map(userids.filter((id) => id.startsWith("@")).map((id) => [id, id.slice(1)])),
    keysOf: async () => keys ?? undefined,
    forgetKeys: async () => undefined,
  };
  const options = {
    url: `${server.url}/lend`,
    availabilityUrl: `${server.url}/availability`,
    rpcUrl: `${server.url}/rpc`,
    access: "site",
    key: "key",
    client: "192.0.2.1",
  };
  // KV as far as it is used: text by key.
  const cache: AnswerCache = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, value: string) => void kept.set(key, value),
  };
  return new RemoteLending(options, patrons, cache);
}

const asked = () => server.asked.map(({ method, url, body }) => [method, url, body]);

describe("another lending service", () => {
  it("says how items stand in one call, which is kept", async () => {
    answering({
      "/availability": {
        body: {
          success: true,
          responses: {
            a: { status: "open" },
            b: { status: "borrow_available", is_lendable: true, available_to_browse: true },
            c: {
              status: "borrow_unavailable",
              is_lendable: true,
              num_waitlist: "4",
              last_loan_date: "2020-07-31T19:07:55Z",
            },
            d: { status: "error" },
          },
        },
      },
    });
    const kept = new Map<string, string>();
    const statuses = await lending(KEYS, kept).statuses(["c", "b", "a", "d", "a"]);
    expect([...statuses.keys()]).toEqual(["a", "b", "c"]);
    expect(statuses.get("a")).toMatchObject({ isReadable: true, isLendable: false, free: 0 });
    expect(statuses.get("b")).toMatchObject({ isLendable: true, free: 1, canBrowse: true });
    expect(statuses.get("c")).toMatchObject({
      isLendable: true,
      free: 0,
      waiting: 4,
      lastLoan: Date.UTC(2020, 6, 31, 19, 7, 55),
    });
    expect(await lending(KEYS, kept).statuses(["a", "b", "c", "d"])).toEqual(statuses);
    expect(asked()).toEqual([["GET", "/availability?identifier=a%2Cb%2Cc%2Cd&scope=printdisabled", ""]]);
    expect(server.asked[0]?.headers).toMatchObject({
      authorization: "LOW site:key",
      "x-preferred-client-id": "192.0.2.1",
    });
  });

  it("hears in bounded calls of what can be an item, and of nothing else", async () => {
    answering({ "/availability": { body: { success: true, responses: { i1: { status: "open" } } } } });
    const ids = Array.from({ length: 250 }, (_, n) => `i${n}`);
    const odd = ["constructor", "__proto__", "a b", "a,b", "é".repeat(300), "x".repeat(300), "\u0000", ""];
    const kept = new Map<string, string>();
    expect([...(await lending(KEYS, kept).statuses([...ids, ...odd])).keys()]).toEqual(["i1"]);
    const sent = server.asked.map(({ url }) => new URL(url, server.url).searchParams.get("identifier") ?? "");
    expect(sent.map((text) => text.split(",").length).toSorted((a, b) => a - b)).toEqual([52, 100, 100]);
    expect(sent.join(",").split(",").toSorted()).toEqual([...ids, "__proto__", "constructor"].toSorted());
    // KV takes keys of 512 bytes.
    expect([...kept.keys()].every((key) => new TextEncoder().encode(key).length <= 512)).toBe(true);
    expect([...(await lending(KEYS, kept).statuses(ids.slice(0, 2))).keys()]).toEqual(["i1"]);
  });

  it("says how a patron stands to an item", async () => {
    answering({
      availability: {
        body: {
          lending_status: {
            is_lendable: true,
            is_readable: false,
            available_to_borrow: true,
            max_lendable_copies: 3,
            available_lendable_copies: 2,
            active_borrows: 1,
            users_on_waitlist: 0,
            last_borrow: "2026-01-02 03:04:05",
            next_borrow_expiration: "2026-01-16 03:04:05",
            user_loan_count: 4,
          },
        },
      },
      "loan.query": { body: { result: [LOAN] } },
      "waitinglist.query": { body: { result: [PLACE] } },
    });
    const status = await lending().status("foo00bar", ANN);
    expect(status).toMatchObject({
      copies: 3,
      free: 2,
      lastLoan: HELD.loanedAt,
      nextExpiry: HELD.expiry,
      patron: { loan: HELD, place: { position: 2, queueLength: 3, patron: "ann" }, loanCount: 4 },
    });
    expect(asked()).toContainEqual([
      "POST",
      "/lend/services/loans/loan/?action=availability&identifier=foo00bar",
      "access=a&secret=s",
    ]);
    expect(asked()).toContainEqual(["POST", "/rpc", "method=loan.query&token=key&userid=%40ann"]);
  });

  it("lends to a patron who has keys there, once", async () => {
    let loans: unknown[] = [];
    server.answer = ({ url, body }) => {
      if (url.includes("action=borrow_book")) {
        loans = [LOAN];
        return { body: { success: true } };
      }
      return body.includes("loan.query") ? { body: { result: loans } } : { status: 500, body: "" };
    };
    const wish = { ocaid: "foo00bar", book: "/books/OL1M", kind: "borrow", borrower: ANN } as const;
    expect(await lending().open(wish)).toEqual({ ok: true, value: HELD });
    expect(await lending().open(wish)).toEqual({ ok: true, value: HELD });
    expect(asked().filter(([, url]) => url?.includes("borrow_book"))).toEqual([
      ["POST", "/lend/services/loans/loan/?action=borrow_book&identifier=foo00bar", "access=a&secret=s"],
    ]);
    expect(await lending().loans(ANN)).toEqual([HELD]);
    expect(await lending().loansOf("foo00bar")).toEqual([HELD]);
  });

  it("refuses with 400 and 409, and nobody borrows there without keys", async () => {
    answering({
      "loan.query": { body: { result: [] } },
      browse_book: { status: 409, body: "" },
      return_loan: { status: 400, body: "" },
      leave_waitlist: { status: 400, body: "" },
    });
    const wish = { ocaid: "x", book: "/books/OL1M", kind: "browse", borrower: ANN } as const;
    expect(await lending().open(wish)).toMatchObject({ ok: false, reason: "limit" });
    expect(await lending().close("x", ANN)).toMatchObject({ ok: false, reason: "not-held" });
    expect(await lending().leave("x", ANN)).toMatchObject({ ok: false, reason: "not-held" });
    const refused = { ok: false, reason: "unavailable", text: { key: "conflict.lending_login" } };
    expect(await lending(null).join(wish)).toEqual(refused);
    expect(await lending(null).history(ANN, { limit: 1, offset: 0 })).toEqual([]);
    expect(await lending(null).close("x", ANN)).toEqual(refused);
    expect(await lending(null).leave("x", ANN)).toEqual(refused);
  });

  it("reports a failure to end a loan or a place as a failure", async () => {
    answering({
      return_loan: { status: 503, body: "" },
      leave_waitlist: { status: 503, body: "" },
    });
    await expect(lending().close("x", ANN)).rejects.toBeInstanceOf(LendingFailure);
    await expect(lending().leave("x", ANN)).rejects.toBeInstanceOf(LendingFailure);
  });

  it("tells of queues, of what was read, and of loans and returns", async () => {
    answering({
      join_waitlist: { body: {} },
      "waitinglist.query": { body: { result: [PLACE, { ...PLACE, userid: "ol:ben", position: 3 }] } },
      user_borrow_history: {
        body: { history: { items: [{ identifier: "foo00bar", updatedate: "2026-01-02 03:04:05" }] } },
      },
      changes: {
        body: {
          status: "OK",
          latest_uid: 9,
          rows: [
            {
              time: "2026-01-02 03:04:05",
              identifier: "foo00bar",
              username: "@ann",
              loan_id: 7,
              event_type: "borrow",
              extra: '{"until":"2026-01-16 03:04:05"}',
              uid: 9,
            },
          ],
        },
      },
    });
    const wish = { ocaid: "foo00bar", book: "/books/OL1M", borrower: ANN };
    expect(await lending().join(wish)).toMatchObject({ ok: true, value: { position: 2, patron: "ann" } });
    expect(await lending().places({ ocaid: "foo00bar" })).toMatchObject([
      { patron: "ann", since: HELD.loanedAt },
      { patron: "ol:ben", position: 3 },
    ]);
    expect(await lending().history(ANN, { limit: 26, offset: 25 })).toEqual([
      { ocaid: "foo00bar", lastLoan: HELD.loanedAt },
    ]);
    expect(await lending().changes(8, 100)).toEqual([
      {
        uid: 9,
        time: HELD.loanedAt,
        ocaid: "foo00bar",
        patron: "ann",
        loan: "7",
        event: "borrow",
        until: HELD.expiry,
      },
    ]);
    expect(asked()).toContainEqual([
      "POST",
      "/lend/services/loans/loan/?action=user_borrow_history",
      "access=a&secret=s&limit=26&offset=25&newest=1",
    ]);
  });

  it("that fails is told as a failure, whatever it says", async () => {
    for (const answer of [
      { status: 500, body: "" },
      { status: 302, headers: { Location: "/elsewhere" }, body: "" },
      { body: "no JSON" },
      { body: JSON.stringify({ success: true, responses: {}, more: "x".repeat(LENDING_ANSWER_BYTES) }) },
      { body: { success: false, error: "down" } },
    ]) {
      server.answer = () => answer;
      await expect(lending().statuses(["a"])).rejects.toBeInstanceOf(LendingFailure);
    }
  });

  it("gets back what somebody has whose account is removed", async () => {
    answering({
      "loan.query": { body: { result: [LOAN] } },
      "waitinglist.query": { body: { result: [{ ...PLACE, identifier: "other" }] } },
      return_loan: { body: {} },
      leave_waitlist: { body: {} },
    });
    await lending().forget(ANN);
    const actions = server.asked.flatMap(({ url }) => /action=\w+&identifier=\w+/.exec(url)?.[0] ?? []);
    expect(actions).toEqual([
      "action=return_loan&identifier=foo00bar",
      "action=leave_waitlist&identifier=other",
    ]);
  });

  it("forgets a patron whose loan has ended meanwhile, but not one whose loan cannot be ended", async () => {
    let loans = [LOAN];
    let isEnding = false;
    server.answer = ({ url, body }) => {
      if (url.includes("action=return_loan")) {
        if (isEnding) loans = [];
        return { status: 409, body: "" };
      }
      return { body: { result: body.includes("loan.query") ? loans : [] } };
    };
    await expect(lending().forget(ANN)).rejects.toBeInstanceOf(LendingFailure);
    isEnding = true;
    await expect(lending().forget(ANN)).resolves.toBeUndefined();
  });
});
