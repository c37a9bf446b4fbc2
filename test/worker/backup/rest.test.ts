import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { secretHash } from "../../../src/db/accounts/secret-hash.ts";
import { addAccounts } from "../../support/worker/activity.ts";
import { OPERATOR } from "../../support/worker/import-queue.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const get = async (path: string) =>
  (await service.fetch(`/system/backup/${path}`, { headers: OPERATOR })).json();
async function send(path: string, body: unknown) {
  const init = { method: "POST", headers: OPERATOR, body: JSON.stringify(body) };
  const response = await service.fetch(`/system/backup/${path}`, init);
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

interface Page {
  rows: Record<string, unknown>[];
  next: unknown[] | null;
}

async function pagesOf(table: string): Promise<Page["rows"][]> {
  const pages: Page["rows"][] = [];
  for (let query = ""; ;) {
    const { rows, next } = (await get(`tables/${table}${query}`)) as Page;
    pages.push(rows);
    if (next === null) return pages;
    query = `?after=${encodeURIComponent(JSON.stringify(next))}`;
  }
}

describe("tables", () => {
  it.each([
    ["many rows", "patrons/store_document", 1200, 10, [500, 500, 200, 0]],
    ["long values", "catalog/removed_revision", 7, 1_500_000, [3, 3, 1, 0]],
  ])("with %s come in pages, and come back", async (_what, table, count, length, sizes) => {
    const [store = "", name = ""] = table.split("/");
    const database = store === "catalog" ? env.CATALOG : env.PATRONS;
    const rows = Array.from({ length: count }, (_, n) =>
      store === "catalog"
        ? { key: `/works/OL${n}W`, revision: 1, last_modified: "t", document: "é".repeat(length / 2) }
        : {
            key: `k${String(n).padStart(5, "0")}`,
            type: null,
            rev: n,
            document: "x".repeat(length),
            updated: "t",
          },
    );
    const step = Math.min(500, Math.ceil(2e6 / length));
    for (let from = 0; from < count; from += step) {
      const part = { rows: rows.slice(from, from + step), first: from === 0 };
      expect((await send(`tables/${table}`, part)).status).toBe(200);
    }
    const pages = await pagesOf(table);
    expect(pages.map((page) => page.length)).toEqual(sizes);
    expect(pages.flat()).toEqual(rows);
    // Writing them again changes nothing.
    await send(`tables/${table}`, { rows: rows.slice(0, 2) });
    expect(await database.prepare(`SELECT count(*) FROM ${name}`).first("count(*)")).toBe(count);
  });

  it("keep the higher number of a sequence", async () => {
    for (const value of [100_000_007, 3])
      await send("tables/catalog/sequence", { rows: [{ name: "cover", value }] });
    expect((await pagesOf("catalog/sequence")).flat()).toContainEqual({ name: "cover", value: 100_000_007 });
  });

  it.each([
    ["an unknown column", "patrons/loan_history", { rows: [{ "a; DROP": 1 }] }, 400],
    ["a column of another version", "patrons/loan_history", { rows: [{ patron: "a", other: 1 }] }, 400],
    ["a value that is missing", "patrons/loan_history", { rows: [{ patron: "a" }] }, 400],
    ["a table that no backup has", "patrons/outbox", { rows: [] }, 404],
    ["no rows", "patrons/loan_history", { nothing: 1 }, 400],
    ["a row without columns", "patrons/loan_history", { rows: [{}] }, 400],
    ["text that is no JSON", "patrons/account", { rows: [{ username_folded: "a", tags: "x" }] }, 400],
  ])("with %s are refused", async (_what, table, body, status) => {
    expect((await send(`tables/${table}`, body)).status).toBe(status);
  });
});

describe("files", () => {
  it("are listed without derived files, and are restored with their type", async () => {
    const put = (name: string) =>
      service.fetch(`/system/backup/files/covers/${name}`, {
        method: "PUT",
        headers: { ...OPERATOR, "Content-Type": "image/png", "Content-Length": "3" },
        body: "abc",
      });
    for (const name of ["covers/0000000001/o", "covers/0000000001/S.jpg"])
      expect((await put(name)).status).toBe(200);
    expect(await get("files/covers")).toEqual({
      files: [{ name: "covers/0000000001/o", bytes: 3, etag: expect.stringMatching(/^\w{32}$/) as string }],
      next: null,
    });
    const file = await service.fetch("/system/backup/files/covers/covers/0000000001/o", {
      headers: OPERATOR,
    });
    expect([file.headers.get("Content-Type"), await file.text()]).toEqual(["image/png", "abc"]);
    expect((await service.fetch("/system/backup/files/covers/none", { headers: OPERATOR })).status).toBe(404);
  });
});

describe("large files", () => {
  it("are restored in parts, with their type", async () => {
    const path = "/system/backup/files/archive/items/large/file.mrc";
    const ask = async (query: string, init: RequestInit) => {
      const response = await service.fetch(path + query, init);
      return { status: response.status, body: await response.json<{ upload: string; etag: string }>() };
    };
    const post = (query: string, body: object) =>
      ask(query, {
        method: "POST",
        headers: { ...OPERATOR, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const { upload } = (await post("", { type: "application/marc" })).body;
    const parts = ["a".repeat(5 * 1024 * 1024), "end"];
    const etags: { partNumber: number; etag: string }[] = [];
    for (const [index, body] of parts.entries()) {
      const headers = { ...OPERATOR, "Content-Length": String(body.length) };
      const query = `?upload=${encodeURIComponent(upload)}&part=${index + 1}`;
      const { etag } = (await ask(query, { method: "PUT", headers, body })).body;
      etags.push({ partNumber: index + 1, etag });
    }
    const query = `?upload=${encodeURIComponent(upload)}`;
    expect((await post(query, { parts: etags })).status).toBe(200);
    const file = await service.fetch(path, { headers: OPERATOR });
    expect(file.headers.get("Content-Type")).toBe("application/marc");
    expect((await file.arrayBuffer()).byteLength).toBe(parts.join("").length);
    expect((await post("?upload=none", { parts: etags })).status).toBe(400);
  });
});

describe("accounts that were removed since", () => {
  beforeAll(async () => {
    await addAccounts("Gone", "Anew");
    for (const name of ["Gone", "Anew", "Traced"]) {
      await service.load({ key: `/people/${name}`, type: "/type/user", displayname: name });
    }
    const removed = (name: string, time: string) => ({
      username_hash: secretHash(name),
      removed: Date.parse(time),
    });
    await send("tables/patrons/removed_account", {
      rows: [removed("gone", "2026-06-01"), removed("traced", "2026-06-01"), removed("anew", "2025-06-01")],
    });
  });

  it("are removed again even if only their records are left, unless they registered again", async () => {
    await loggedIn(service, "stays");
    expect(await send("removals", { after: "" })).toEqual({ status: 200, body: { removed: 2, next: null } });
    const { results } = await env.PATRONS.prepare("SELECT username FROM removal ORDER BY username").all();
    expect(results).toEqual([{ username: "Gone" }, { username: "Traced" }]);
  });
});

it.each(["tables/catalog/item?after=[]", "tables/catalog/item?after=[1,2]", "tables/catalog/item?after=x"])(
  "%s is refused",
  async (path) => {
    expect((await service.fetch(`/system/backup/${path}`, { headers: OPERATOR })).status).toBe(400);
  },
);

it("needs the operator's token", async () => {
  for (const path of ["", "/patrons", "/tables/patrons/account", "/files/covers"]) {
    expect((await service.fetch(`/system/backup${path}`)).status).toBe(401);
  }
});
