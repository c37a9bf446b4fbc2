import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { formOf } from "../../support/worker/accounts.ts";
import { emptyCatalog, saved, stored, user } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const HTML = { Accept: "text/html" };
let boss: LoggedIn;
/** Another account for each test: a removal that a test began goes on during the next one. */
let spammer = "";
let accounts = 0;

beforeEach(async () => {
  await emptyCatalog();
  spammer = `Spammer${(accounts += 1)}`;
  await env.CATALOG.exec("DELETE FROM change_data");
  await env.PATRONS.exec("DELETE FROM account");
  [boss] = await Promise.all([
    loggedIn(service, "boss", { groups: ["admin"] }),
    loggedIn(service, spammer),
    service.load(work(1), work(2)),
  ]);
  const titled = (id: number, title: string) => ({ key: workKey(id), type: { key: "/type/work" }, title });
  const writer = { ...user(spammer), authority: "service" as const };
  await saved([titled(1, "Spam"), titled(2, "Spam"), titled(9, "New spam")], { writer });
  await saved([titled(2, "Mended")], { writer: user("boss") });
});

async function act(fields: Record<string, string>): Promise<{ status: number; html: string }> {
  const answer = await boss.fetch(`/admin/people/${spammer}`, formOf(fields, HTML));
  return { status: answer.status, html: await answer.text() };
}

const statusOf = () =>
  env.PATRONS.prepare("SELECT status FROM account WHERE username_folded = ?")
    .bind(spammer.toLowerCase())
    .first("status");
const titleOf = async (id: number) => (await stored(workKey(id)))?.["title"];

describe.each(["block_account_and_revert", "anonymize_account"])("%s", (action) => {
  it("changes nothing before the username is typed", async () => {
    for (const [confirm, status] of [
      [undefined, 200],
      ["", 400],
      ["boss", 400],
    ] as const) {
      const page = await act({ action, ...(confirm !== undefined && { confirm }) });
      expect(page.status).toBe(status);
      expect(page.html).toContain(`<a href="/admin/people/${spammer}">Back to ${spammer}</a>`);
      expect(page.html).toContain('<button type="submit" class="danger">');
      expect(page.html.includes('aria-invalid="true"')).toBe(status === 400);
      expect([await statusOf(), await titleOf(1)]).toEqual(["active", "Spam"]);
    }
  });

  it("is done once the username is typed in upper or lower case", async () => {
    expect((await act({ action, confirm: ` ${spammer.toLowerCase()} ` })).status).toBe(200);
    expect(await statusOf()).toBe("blocked");
  });
});

describe("the confirmation page of a revert", () => {
  it("lists the outcome of each record", async () => {
    const { html } = await act({ action: "block_account_and_revert" });
    const rows = [...html.matchAll(/<th scope="row"><a [^>]*>([^<]*)<\/a><\/th><td>([^<]*)/g)];
    expect(rows.map(([, key, outcome]) => [key, outcome])).toEqual([
      ["/works/OL1W", "Restored to revision 1"],
      ["/works/OL9W", "Deleted"],
      ["/works/OL2W", "Skipped (edited since)"],
    ]);
    await act({ action: "block_account_and_revert", confirm: spammer });
    expect([await titleOf(1), await titleOf(2)]).toEqual(["Work 1", "Mended"]);
    expect(await stored(workKey(9))).toMatchObject({ type: { key: "/type/delete" } });
  });
});
