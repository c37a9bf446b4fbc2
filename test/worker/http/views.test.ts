import { beforeAll, describe, expect, it } from "vitest";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const FORM = "application/x-www-form-urlencoded";

describe("the answer of an action (Q881)", () => {
  let patron: Awaited<ReturnType<typeof loggedIn>>;
  beforeAll(async () => {
    patron = await loggedIn(service, "reader");
  });

  it.each([
    ["a form for a page", "/account/email", FORM, "email=a%40example.com", "text/html; charset=utf-8"],
    ["a form for a program", "/account/email", FORM, "email=a%40example.com", "application/json"],
    [
      "JSON for a page",
      "/account/email",
      "application/json",
      '{"email":"a@example.com"}',
      "application/json",
    ],
  ])("to %s", async (name, path, type, body, expected) => {
    const accept = name.endsWith("page") ? "text/html" : "*/*";
    const headers = { Accept: accept, "Content-Type": type, Origin: "http://carrel.test" };
    const answer = await patron.fetch(path, { method: "POST", headers, body });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([422, expected]);
    const text = await answer.text();
    expect(text).toContain(expected === "application/json" ? '"password"' : 'value="a@example.com"');
  });
});
