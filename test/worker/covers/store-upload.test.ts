import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Fields, coverRow, imageFile, multipart, toStore } from "../../support/worker/cover-store.ts";
import { testService } from "../../support/worker/service.ts";
import { leads } from "../../support/worker/writing.ts";

const service = testService();
const send = (fields: Fields) => leads(toStore(service, "/b/upload", { olid: "OL1M", ...fields }));
const newest = async () => {
  const row = await env.CATALOG.prepare("SELECT max(id) AS id FROM cover").first<{ id: number }>();
  return coverRow(row?.id ?? 0);
};
const good = "https://site.example/good?a=b";
const bad = "https://site.example/bad?a=1&errcode=9#part";

describe("POST /b/upload", () => {
  it("stores an image and redirects", async () => {
    const fields = { file: imageFile(), author: "/people/ann", success_url: good, failure_url: bad };
    expect(await send(fields)).toBe(`303 ${good}`);
    expect(await newest()).toMatchObject({
      category: "b",
      olid: "OL1M",
      author: "/people/ann",
      state: "stored",
    });
    expect(await leads(toStore(service, "/a/upload", { olid: "OL1A", file: imageFile() }))).toBe("303 /");
    expect(await newest()).toMatchObject({ category: "a", olid: "OL1A" });
  });

  it.each<[string, Fields, string]>([
    ["nothing", {}, "errcode=1&errmsg=No+image+found"],
    ["a forbidden address", { source_url: "http://10.0.0.1/" }, "errcode=2&errmsg=Invalid+URL"],
    ["text", { file: imageFile(Uint8Array.of(120)) }, "errcode=3&errmsg=Invalid+Image"],
  ])("redirects with the error for %s", async (_, fields, told) => {
    const answer = `303 https://site.example/bad?a=1&${told}#part`;
    expect(await send({ ...fields, success_url: good, failure_url: bad })).toBe(answer);
    expect(await send({ ...fields, success_url: good })).toBe(`303 /?${told}`);
  });

  it("redirects to the referrer by default", async () => {
    const headers = {
      Authorization: `Bearer ${env.COVERS_SECRET}`,
      Referer: "http://carrel.test/books/OL1M",
    };
    const body = multipart({ olid: "OL1M", success_url: "data:text/html,x" });
    expect(await leads(service.fetch("/b/upload", { method: "POST", body, headers }))).toBe(
      "303 http://carrel.test/books/OL1M?errcode=1&errmsg=No+image+found",
    );
  });

  it.each(["//evil.example/", "/\\evil.example", "javascript:alert(1)", "evil.example"])(
    "does not redirect to %s",
    async (success_url) => {
      expect(await send({ file: imageFile(), success_url })).toBe("303 /");
    },
  );

  it("needs a record and the secret", async () => {
    const response = await toStore(service, "/b/upload", { file: imageFile() });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type: "missing", loc: ["body", "olid"] }] });
    const open = await service.fetch("/b/upload", { method: "POST", body: multipart({ olid: "OL1M" }) });
    expect(open.status).toBe(401);
  });
});
