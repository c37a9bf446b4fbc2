import { afterAll, beforeAll, expect, it } from "vitest";
import { openMailRelay } from "../../../scripts/lib/serve/mail-relay.ts";
import { startMailServer } from "../../support/node/mail-server.ts";

let smtp: Awaited<ReturnType<typeof startMailServer>>;
let relay: Awaited<ReturnType<typeof openMailRelay>>;

beforeAll(async () => {
  smtp = await startMailServer();
  relay = await openMailRelay(smtp.url);
});

afterAll(() => {
  relay.close();
  smtp.close();
});

const mail = {
  from: "Books <books@example.org>",
  to: "ann@example.org",
  subject: "Grüße",
  text: "A link.\n",
};

const post = (body: string, token = relay.settings.MAIL_TOKEN): Promise<Response> =>
  fetch(relay.settings.MAIL_URL, { method: "POST", body, headers: { Authorization: `Bearer ${token}` } });

it("sends an email by SMTP", async () => {
  expect((await post(JSON.stringify(mail))).status).toBe(204);
  expect(smtp.received).toMatch(/MAIL FROM:<books@example\.org>[\s\S]+RCPT TO:<ann@example\.org>/);
  expect(smtp.received).toMatch(/Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=[\s\S]+A link\./);
});

it.each([
  ["a server that refuses", JSON.stringify({ ...mail, to: "ann@example.net" }), undefined, 502],
  ["no email", "not JSON", undefined, 502],
  ["too much", JSON.stringify({ ...mail, text: "a".repeat(300_000) }), undefined, 502],
  ["a recipient that is a file", JSON.stringify({ ...mail, text: { path: "/etc/passwd" } }), undefined, 502],
  ["another program on this machine", JSON.stringify(mail), "other", 401],
])("sends nothing for %s", async (_what, body, token, status) => {
  const before = smtp.received.split("A link.").length;
  expect((await post(body, token)).status).toBe(status);
  expect(smtp.received.split("A link.").length).toBe(before);
  expect(smtp.received).not.toContain("root:");
});

it("takes SMTP addresses only", async () => {
  await expect(openMailRelay("https://mail.example.org")).rejects.toThrow("SMTP_URL must be");
});
