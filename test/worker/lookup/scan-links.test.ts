import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { edition } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { looking, post } from "../../support/worker/writing.ts";

const service = testService();
const { read, lastChange } = looking(service);
const EXPIRY = String(Math.floor(service.now / 1000) + 60);

const signed = (msg: string, secret = env.LINK_SECRET): Record<string, string> => ({
  msg,
  digest: createHmac("sha256", secret).update(msg).digest("hex"),
});
const send = async (name: string, fields: Record<string, string>): Promise<readonly [number, unknown]> => {
  const response = await post(service, `/api/${name}`, fields);
  return [response.status, await response.json()];
};
const OK = [200, { status: "ok" }] as const;

let number = 0;
const load = async (members: Record<string, unknown>): Promise<string> => {
  number += 1;
  await service.load(edition(number, members));
  return `OL${number}M`;
};

describe("POST /api/link", () => {
  it("sets the scan of an edition as the import bot", async () => {
    const olid = await load({ title: "Scanned" });
    expect(await send("link", signed(`scan00one|${olid}|${EXPIRY}`))).toEqual(OK);
    expect(await read(`/books/${olid}`)).toMatchObject({ title: "Scanned", ocaid: "scan00one", revision: 2 });
    expect(await lastChange()).toMatchObject({
      kind: "edit-edition-ocaid",
      author: { key: "/people/ImportBot" },
      comment: "Associate OCAID with record",
    });
    const [latest] = Object(await service.json(`/books/${olid}.json?m=history`));
    expect(latest).toMatchObject({ author: "/people/ImportBot", bot: true });
    const found = await service.fetch("/ia/scan00one");
    expect([found.status, found.headers.get("Location")]).toEqual([302, `/books/${olid}`]);
  });

  it("changes nothing when repeated", async () => {
    const olid = await load({ ocaid: "scan00two" });
    expect(await send("link", signed(`scan00two|${olid}|${EXPIRY}`))).toEqual(OK);
    expect(await read(`/books/${olid}`)).toMatchObject({ revision: 1 });
  });

  it("answers 404 for missing editions", async () => {
    await service.load({ key: "/books/OL900M", type: "/type/delete" });
    for (const olid of ["OL900M", "OL901M"]) {
      expect((await send("link", signed(`scan00x|${olid}|${EXPIRY}`)))[0]).toBe(404);
    }
  });

  it.each([
    "",
    "scan00x",
    `scan00x|${EXPIRY}`,
    `scan00x|OL1W|${EXPIRY}`,
    `scan00x|/books/OL1M|${EXPIRY}`,
    `scan/00x|OL1M|${EXPIRY}`,
    `scan00x|OL1M|soon`,
    `scan00x|OL1M|${EXPIRY}|`,
    `|OL1M|${EXPIRY}`,
  ])("answers 400 for %j", async (msg) => {
    expect((await send("link", signed(msg)))[0]).toBe(400);
  });

  it("requires a valid signature that has not expired", async () => {
    const olid = await load({});
    const msg = `scan00three|${olid}|${EXPIRY}`;
    const { digest = "" } = signed(msg);
    for (const fields of [
      signed(msg, "another secret, as long as the first"),
      { msg, digest: "" },
      { msg, digest: digest.slice(0, -1) },
      { msg, digest: `${digest}0` },
      { msg: `scan00four|${olid}|${EXPIRY}`, digest },
      signed(`scan00three|${olid}|${Math.floor(service.now / 1000)}`),
    ]) {
      expect((await send("link", fields))[0]).toBe(401);
    }
    expect(await read(`/books/${olid}`)).toMatchObject({ revision: 1 });
  });

  it("answers 503 without a secret", async () => {
    const bare = testService({ LINK_SECRET: undefined as unknown as string });
    expect((await post(bare, "/api/link", signed(`a|OL1M|${EXPIRY}`))).status).toBe(503);
  });
});

describe("POST /api/unlink", () => {
  let olids: string[] = [];
  beforeEach(async () => {
    olids = [
      await load({ ocaid: "gone00scan", source_records: ["ia:gone00scan", "marc:x/y:0:1"] }),
      await load({ ocaid: "other00scan", source_records: ["ia:gone00scan"] }),
      await load({ ocaid: "gone00scan" }),
      await load({ ocaid: "gone00scanned", source_records: ["ia:gone00scanned"] }),
    ];
  });

  it.each(["unlink", "unlink.json"])("%s removes a scan from all editions that have it", async (name) => {
    const fields = { ...signed(`gone00scan|${EXPIRY}`), comment: "Wrong book" };
    expect(await send(name, fields)).toEqual(OK);
    const [one, two, three, four] = await Promise.all(olids.map((olid) => read(`/books/${olid}`)));
    expect(one).toMatchObject({ revision: 2, source_records: ["marc:x/y:0:1"] });
    expect(one).not.toHaveProperty("ocaid");
    expect(two).toMatchObject({ revision: 2, ocaid: "other00scan" });
    expect(two).not.toHaveProperty("source_records");
    expect(three).toMatchObject({ revision: 2 });
    expect(three).not.toHaveProperty("ocaid");
    expect(four).toMatchObject({ revision: 1, ocaid: "gone00scanned" });
    expect(await lastChange()).toMatchObject({ kind: "edit-edition-ocaid", comment: "Wrong book" });
    expect((await send(name, fields))[0]).toBe(404);
  });

  it("requires a signed message of its own form", async () => {
    expect((await send("unlink", signed(`gone00scan|${olids[0]}|${EXPIRY}`)))[0]).toBe(400);
    expect((await send("unlink", { ...signed(`gone00scan|${EXPIRY}`), digest: "00" }))[0]).toBe(401);
    const long = { ...signed(`gone00scan|${EXPIRY}`), comment: "x".repeat(1001) };
    expect((await send("unlink", long))[0]).toBe(422);
  });
});
