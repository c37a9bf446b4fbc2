import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { checkApiKey, readPasswordHash } from "../../../src/db/accounts/read-secrets.ts";
import { OUTBOX_MAX, readOutbox } from "../../../src/db/accounts/read-accounts.ts";
import { createApp } from "../../../src/worker/app.ts";
import { verifyPassword } from "../../../src/worker/accounts/password-hash.ts";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { mailerOf } from "../../../src/worker/platform/mail.ts";
import { account } from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const TIME = formatDatetime(NOW);
const patrons = env.PATRONS;

beforeEach(async () => {
  await patrons.prepare("DELETE FROM outbox").run();
});

describe("mailerOf", () => {
  const mailer = (settings: object = {}) =>
    mailerOf({ stores: storesOf(env), settings: { ...settingsOf(env), ...settings }, now: NOW });
  const mail = { to: "jane@example.com", subject: "Welcome", text: "Hello\nJane" };

  it("stores at most OUTBOX_MAX mails", async () => {
    await patrons
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO outbox (recipient, subject, body, created) SELECT '', i, '', '' FROM n`,
      )
      .bind(OUTBOX_MAX + 1)
      .run();
    await mailer().send(() => ({ ...mail, subject: "last" }));
    const subjects = (await readOutbox(patrons)).map(({ subject }) => subject);
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([OUTBOX_MAX, "last", "3"]);
    const left = await patrons.prepare("SELECT count(*) AS n FROM outbox").first();
    expect(left).toEqual({ n: OUTBOX_MAX });
  });

  it("serves stored mails in development only", async () => {
    await mailer().send(() => mail);
    const { mails } = await testService()
      .fetch("/development/outbox.json")
      .then((r) => r.json<{ mails: unknown }>());
    expect(mails).toEqual([{ id: expect.any(Number), ...mail, created: TIME }]);
    expect(await testService().json("/development/outbox.json?to=joe@example.com")).toEqual({ mails: [] });
    const deployed = await testService({ ENVIRONMENT: "production" }).fetch("/development/outbox.json");
    expect(deployed.status).toBe(404);
  });

  it.each([
    ["the mail service", { BASE_URL: "https://books.example" }],
    ["links", { MAIL_URL: "https://mail.example" }],
  ])("answers 503 in production without the address of %s", async (_name, settings) => {
    const sent = mailer({ ENVIRONMENT: "production", ...settings }).send(() => mail);
    await expect(sent).rejects.toMatchObject({
      status: 503,
      message: "The email couldn’t be sent. Try again later.",
    });
    expect(await readOutbox(patrons)).toEqual([]);
  });
});

describe("POST /system/development-accounts", () => {
  it("creates accounts with names, subjects and keys", async () => {
    const response = await testService().fetch("/system/development-accounts", {
      method: "POST",
      headers: { Authorization: `Bearer ${env.LOAD_TOKEN}` },
      body: JSON.stringify({
        usernames: ["openlibrary"],
        displaynames: { openlibrary: "Open Library" },
        keys: [{ username: "openlibrary", access: "foo", secret: "foo" }],
      }),
    });
    expect(response.status).toBe(200);
    expect(await checkApiKey(patrons, { access: "foo", secret: "foo" }, NOW)).toMatchObject({
      username: "openlibrary",
      email: "openlibrary@example.com",
      displayname: "Open Library",
      subject: "@openlibrary",
      status: "active",
      hasRecords: true,
    });
    expect(await verifyPassword("openlibrary", (await readPasswordHash(patrons, "openlibrary")) ?? "")).toBe(
      "right",
    );
  });
});

describe("links in mails of a development service", () => {
  const linkFor = async (host: string, settings: Partial<Cloudflare.Env> = {}): Promise<string> => {
    await patrons.prepare("DELETE FROM outbox").run();
    const body = new URLSearchParams({ email: "linked@example.com" });
    const request = new Request(`http://${host}/account/password/forgot`, { method: "POST", body });
    const context = createExecutionContext();
    const response = await createApp("OL").fetch(request, { ...env, ...settings }, context);
    expect(response.status).toBe(200);
    await waitOnExecutionContext(context);
    const mail = await patrons.prepare("SELECT body FROM outbox").first<{ body: string }>();
    return /https?:\S+(?=\/account)/.exec(mail?.body ?? "")?.[0] ?? "";
  };

  it("start with a loopback address or BASE_URL, never with the request's Host", async () => {
    await account(testService(), "linked");
    for (const [host, base] of [
      ["localhost:8081", "http://localhost:8081"],
      ["127.0.0.1:8080", "http://127.0.0.1:8080"],
      ["evil.example", "http://localhost:8080"],
      ["localhost.evil.example:99", "http://localhost:99"],
    ] as const) {
      expect(await linkFor(host)).toBe(base);
    }
    expect(await linkFor("evil.example", { BASE_URL: "https://books.example/" })).toBe(
      "https://books.example",
    );
  });
});
