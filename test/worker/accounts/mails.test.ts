import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { checkApiKey, readPasswordHash } from "../../../src/db/accounts/read-secrets.ts";
import { OUTBOX_MAX, findAccount, readOutbox } from "../../../src/db/accounts/read-accounts.ts";
import { setAccount } from "../../../src/db/accounts/write-accounts.ts";
import { createApp } from "../../../src/worker/app.ts";
import { verifyPassword } from "../../../src/worker/accounts/password-hash.ts";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import type { Language } from "../../../src/worker/http/pages/reader.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { type Letter, mailerOf } from "../../../src/worker/platform/mail.ts";
import { dayIn } from "../../../src/worker/ui/words.ts";
import { PASSWORD, account, cookieHeader, formOf, jsonOf } from "../../support/worker/accounts.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const TIME = formatDatetime(NOW);
const patrons = env.PATRONS;

beforeEach(async () => {
  await patrons.prepare("DELETE FROM outbox").run();
});

describe("mailerOf", () => {
  const mailer = (settings: object = {}) =>
    mailerOf({ stores: storesOf(env), settings: { ...settingsOf(env), ...settings }, now: NOW });
  const jane = { username: "jane", email: "jane@example.com" };
  const letter = (): Letter => ({ subject: "mail.password_subject", paragraphs: [{ plain: "A link" }] });

  it("stores at most OUTBOX_MAX mails", async () => {
    await patrons
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO outbox (recipient, subject, body, created) SELECT '', i, '', '' FROM n`,
      )
      .bind(OUTBOX_MAX + 1)
      .run();
    await mailer().send(jane, letter);
    const subjects = (await readOutbox(patrons)).map(({ subject }) => subject);
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([
      OUTBOX_MAX,
      "New password at Carrel",
      "3",
    ]);
    const left = await patrons.prepare("SELECT count(*) AS n FROM outbox").first();
    expect(left).toEqual({ n: OUTBOX_MAX });
  });

  it("serves stored mails in development only", async () => {
    await mailer().send(jane, letter);
    const { mails } = await testService()
      .fetch("/development/outbox.json")
      .then((r) => r.json<{ mails: unknown }>());
    expect(mails).toEqual([
      {
        id: expect.any(Number),
        to: "jane@example.com",
        subject: "New password at Carrel",
        text: "Hello jane,\n\nA link\n",
        created: TIME,
      },
    ]);
    expect(await testService().json("/development/outbox.json?to=joe@example.com")).toEqual({ mails: [] });
    const deployed = await testService({ ENVIRONMENT: "production" }).fetch("/development/outbox.json");
    expect(deployed.status).toBe(404);
  });

  it.each([
    ["the mail service", { BASE_URL: "https://books.example" }],
    ["links", { MAIL_URL: "https://mail.example" }],
  ])("answers 503 in production without the address of %s", async (_name, settings) => {
    const sent = mailer({ ENVIRONMENT: "production", ...settings }).send(jane, letter);
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

describe("the language of mails", () => {
  const service = testService();
  const GERMAN = { "Accept-Language": "de-AT,de;q=0.9" };
  const subjectFor = async (username: string, headers: Record<string, string>): Promise<string> => {
    await patrons.prepare("DELETE FROM outbox").run();
    await service.fetch(
      "/account/password/forgot",
      formOf({ email: `${username}@example.com` }, { ...headers, Accept: "application/json" }),
    );
    const [mail] = await readOutbox(patrons);
    return `${mail?.subject}: ${mail?.body.split("\n\n")[1]}`;
  };

  it("is that of the account, else that of the request, else the service's own", async () => {
    await account(service, "polyglot");
    expect(await subjectFor("polyglot", {})).toBe("New password at Carrel: Set a new password here:");
    const german = "Neues Passwort bei Carrel: hier können Sie ein neues Passwort festlegen:";
    expect(await subjectFor("polyglot", GERMAN)).toBe(german);
    await setAccount(patrons, "polyglot", { language: "es" });
    expect(await subjectFor("polyglot", GERMAN)).toMatch(/^Nueva contraseña/);
    // Not offered any more.
    await setAccount(patrons, "polyglot", { language: "it" });
    expect(await subjectFor("polyglot", GERMAN)).toMatch(/^New password/);
  });

  it("is noted at the first login, and changes with the language of the pages", async () => {
    await account(service, "reader");
    const languageOf = async () => (await findAccount(patrons, { username: "reader" }))?.language;
    const login = (headers: Record<string, string>) =>
      service.fetch("/account/login", jsonOf({ username: "reader", password: PASSWORD }, headers));
    await login({});
    expect(await languageOf()).toBeNull();
    const response = await login(GERMAN);
    expect(await languageOf()).toBe("de");
    await login({ "Accept-Language": "fr" });
    expect(await languageOf()).toBe("de");
    const choose = (headers: Record<string, string>) =>
      service.fetch("/account/language", formOf({ language: "ar" }, headers));
    await choose({});
    expect(await languageOf()).toBe("de");
    await choose({ ...cookieHeader(response), Origin: ORIGIN });
    expect(await languageOf()).toBe("ar");
  });

  it("has its own plurals and days", async () => {
    const waited = (language: Language): Letter => ({
      subject: "mail.waited_subject",
      paragraphs: ["mail.waited", "mail.link_life"],
      values: { day: dayIn(language, NOW), count: 2 },
    });
    const mailer = mailerOf({ stores: storesOf(env), settings: settingsOf(env), now: NOW });
    for (const language of ["fr", "ar"])
      await mailer.send({ username: "jo", email: "jo@example.com", language }, waited);
    const [arabic, french] = (await readOutbox(patrons)).map(({ body }) => body);
    expect(french).toContain("Vous pouvez le garder jusqu’au 21 novembre 2026.");
    expect(arabic).toContain("حتى 21 نوفمبر 2026");
    expect(arabic).toContain("لمدة ساعتين");
  });
});
