// An app asks for access: the page that says what for, and the answer that it gets.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";
import { problemsOf } from "../support/browser/pages.ts";

const site = inject("site");
const BACK = "http://127.0.0.1/back";

/** Registers an app; returns the address at which its user is asked. */
async function registerApp(): Promise<string> {
  const metadata = { client_name: "Shelf App", redirect_uris: [BACK], token_endpoint_auth_method: "none" };
  const response = await fetch(`${site}/oauth2/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(metadata),
  });
  const { client_id: id }: { client_id: string } = await response.json();
  const query = new URLSearchParams({
    response_type: "code",
    client_id: id,
    redirect_uri: BACK,
    scope: "read shelves",
    state: "xyz",
    // SHA-256 of a verifier.
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  return `/oauth2/authorize?${query}`;
}

describe.skipIf(!hasBrowser)("the consent page", () => {
  it("has no problem in any window or colour scheme", async () => {
    expect(await problemsOf(site, ["consent", await registerApp(), "patron"])).toEqual([]);
  });

  it("names what the app may do, and returns to it with a code", async () => {
    const path = await registerApp();
    const returned = await withPage({ storageState: await loginState(site, "patron") }, async (page) => {
      const back = page.waitForRequest((request) => request.url().startsWith(BACK));
      await page.route(`${BACK}*`, (route) => route.fulfill({ body: "" }));
      await page.goto(site + path);
      await page.getByText("Shelf App").first().waitFor();
      await page.getByLabel(/Put books on your shelves/).uncheck();
      await page.getByRole("button", { name: "Allow access" }).click();
      return new URL((await back).url()).searchParams;
    });
    expect([returned.get("state"), returned.get("iss"), (returned.get("code") ?? "").length > 20]).toEqual([
      "xyz",
      site,
      true,
    ]);
  });
});
