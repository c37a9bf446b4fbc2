import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { lender } from "../../support/worker/lending.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity, settleIndexQueue } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ DERIVE_HOLDINGS: "off" });
service.now = Date.now();
const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}` };

const send = async (...lines: unknown[]): Promise<unknown> => {
  const body = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  return service.json("/system/holdings", { method: "POST", body, headers });
};

describe("POST /system/holdings", () => {
  it("stores the last line of each item and reports rejected lines", async () => {
    expect(
      await send(
        { ocaid: "one00item", collections: ["inlibrary"], copies: 3 },
        "",
        { ocaid: "one00item", collections: ["inlibrary"], copies: 2, browse: true, imagecount: 9 },
        { ocaid: "two00item", collections: ["texts"], access_restricted: true, mediatype: "audio" },
        "no JSON",
        { ocaid: "../three", collections: [] },
        { ocaid: "three", collections: [], copies: 0 },
        { ocaid: "three", collections: [], copys: 1 },
      ),
    ).toEqual({
      stored: 2,
      rejected: [
        { line: 5, reason: "Not a JSON object" },
        { line: 6, reason: "Not a valid value of ocaid" },
        { line: 7, reason: "Not a valid value of copies" },
        { line: 8, reason: "Unknown member: copys" },
      ],
    });
    const { results } = await env.CATALOG.prepare("SELECT * FROM item ORDER BY ocaid").all();
    expect(results).toMatchObject([
      {
        ocaid: "one00item",
        collections: '["inlibrary"]',
        copies: 2,
        browse: 1,
        access_restricted: 0,
        imagecount: 9,
      },
      {
        ocaid: "two00item",
        copies: 1,
        browse: 0,
        access_restricted: 1,
        mediatype: "audio",
        imagecount: null,
      },
    ]);
  });

  it("refuses callers without the operator token", async () => {
    expect((await service.fetch("/system/holdings", { method: "POST", body: "" })).status).toBe(401);
  });

  it("reclassifies ebook access in the index", async () => {
    await service.load(
      { key: "/works/OL7W", type: "/type/work", title: "Whale" },
      {
        key: "/books/OL7M",
        type: "/type/edition",
        title: "Whale",
        ocaid: "whale00",
        works: [{ key: "/works/OL7W" }],
      },
      { key: "/books/OL8M", type: "/type/edition", title: "Lonely", ocaid: "lonely00" },
    );
    await settleIndexQueue();
    const access = async (q: string): Promise<unknown> => {
      const found = await service.json(`/search.json?q=${q}&fields=ebook_access`);
      return (found as { docs: { ebook_access: string }[] }).docs[0]?.ebook_access;
    };
    expect([await access("whale"), await access("lonely")]).toEqual(["unclassified", "unclassified"]);
    await send(
      { ocaid: "whale00", collections: ["inlibrary"] },
      { ocaid: "lonely00", collections: ["texts"] },
    );
    await settleIndexQueue();
    expect([await access("whale"), await access("lonely")]).toEqual(["borrowable", "public"]);
  });

  it("gives new copies to the waiting list and sends one mail", async () => {
    const { item, clock } = lender();
    const ocaid = await item();
    await service.load({ key: "/books/OL9M", type: "/type/edition", title: "Rare", ocaid });
    const [ann, ben] = [await loggedIn(service, "ann"), await loggedIn(service, "ben")];
    service.now = clock.now;
    await ann.fetch("/books/OL9M/x/borrow");
    await ben.fetch("/books/OL9M/x/borrow?action=join-waitinglist");
    await send({ ocaid, collections: ["inlibrary"], copies: 2 });
    await settleActivity();
    const mails = async (): Promise<unknown[]> => {
      const { results } = await env.PATRONS.prepare("SELECT recipient, body FROM outbox").all();
      return results;
    };
    expect(await mails()).toEqual([
      { recipient: "ben@example.com", body: expect.stringContaining("hold it for you for 24 hours") },
    ]);
    await env.PATRON_JOBS.send({ kind: "lending-mail", ocaid, patron: "ben" });
    await settleActivity();
    expect(await mails()).toHaveLength(1);
  });
});
