import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findAccount } from "../../../src/db/accounts/read-accounts.ts";
import { PASSWORD, account, formOf, linkTo, mailTo } from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");
const HTML = { Accept: "text/html" };

const wanted = (username: string): Record<string, string> => ({
  username,
  email: `${username}@example.com`,
  password: PASSWORD,
});
describe("people are told alike", () => {
  it("when they register with an address that is taken or free; who reads its mail learns it", async () => {
    await account(service, "Known");
    const send = async (email: string, fields: Record<string, string> = {}) => {
      const form = { ...wanted("unknown_one"), email, ...fields };
      const response = await service.fetch("/account/create", formOf(form, HTML));
      return [response.status, (await response.text()).replaceAll(email, "…").replace(/id="[^"]*"/g, "")];
    };
    const known = await send("known@example.com");
    expect(known).toEqual(await send("fresh@example.com"));
    expect((await send("known@example.com", { password: "short" }))[0]).toBe(422);
    expect(await findAccount(env.PATRONS, { username: "unknown_one" })).toMatchObject({
      email: "fresh@example.com",
    });
    expect(await mailTo("Known@example.com")).toContain("has one already");
    expect((await service.fetch(await linkTo("Known@example.com"))).status).toBe(200);
  });

  it("when the password is wrong and when there is no account", async () => {
    const pages = ["jane", "nobody"].map(async (name) => {
      const fields = { username: `${name}@example.com`, password: "wrong one" };
      const response = await service.fetch("/account/login", formOf(fields, { Accept: "text/html" }));
      return [response.status, (await response.text()).replaceAll(fields.username, "…")];
    });
    const [wrong, unknown] = await Promise.all(pages);
    expect(unknown).toEqual(wrong);
    expect(String(wrong)).toContain("There is no account with this name and this password.");
  });
});
