import * as oauth from "oauth4webapi";
import { describe, expect, it } from "vitest";
import { formOf } from "../../support/worker/accounts.ts";
import { codeRequest, consent, person, redirected, registerApp } from "../../support/worker/oauth.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
// Far from the real clock, by which the alarms of budgets run.
service.now = Date.parse("2100-11-21T12:00:00Z");

/** Lets the library call the service under test. */
const options = {
  [oauth.customFetch]: (url: string, init?: RequestInit) => {
    const { pathname, search } = new URL(url);
    return service.fetch(pathname + search, init);
  },
  [oauth.allowInsecureRequests]: true,
};

describe("an OAuth client library", () => {
  it("discovers, registers, signs in, calls, refreshes and revokes", async () => {
    const issuer = new URL(ORIGIN);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }),
    );
    expect(server).toMatchObject({ issuer: ORIGIN, code_challenge_methods_supported: ["S256"] });

    const redirect = "http://127.0.0.1:1/back";
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        {
          client_name: "Library client",
          redirect_uris: [redirect],
          token_endpoint_auth_method: "client_secret_post",
        },
        options,
      ),
    );

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const cookie = await person(service, "Reader");
    const answer = await consent(service, client, {
      cookie,
      // Apps on the user's machine take any free port.
      redirect_uri: "http://127.0.0.1:54321/back",
      scope: "read shelves",
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      resource: ORIGIN,
    });
    const parameters = oauth.validateAuthResponse(
      server,
      client,
      new URL(answer.headers.get("Location") ?? ""),
      state,
    );
    const secret = oauth.ClientSecretPost(String(client.client_secret));
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        secret,
        parameters,
        "http://127.0.0.1:54321/back",
        verifier,
        options,
      ),
    );
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "read shelves" });

    const call = (token: string, path: string, init: RequestInit = {}) =>
      oauth.protectedResourceRequest(
        token,
        init.method ?? "GET",
        new URL(path, ORIGIN),
        new Headers(init.headers),
        (init.body as string | undefined) ?? null,
        options,
      );
    await service.load({ key: "/works/OL1W", type: "/type/work", title: "Emma" });
    const put = formOf({ bookshelf_id: "1" });
    expect((await call(tokens.access_token, "/works/OL1W/bookshelves.json", put)).status).toBe(200);
    const shelf = await call(tokens.access_token, "/people/Reader/books/want-to-read.json");
    expect(await shelf.json()).toMatchObject({ reading_log_entries: [{ work: { key: "/works/OL1W" } }] });
    const user = await oauth.processUserInfoResponse(
      server,
      client,
      oauth.skipSubjectCheck,
      await oauth.userInfoRequest(server, client, tokens.access_token, options),
    );
    expect(user).toMatchObject({ sub: "/people/Reader", username: "Reader", email: "" });

    const fresh = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.ClientSecretBasic(String(client.client_secret)),
        String(tokens.refresh_token),
        options,
      ),
    );
    expect((await call(fresh.access_token, "/account/loans.json")).status).toBe(200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, secret, String(fresh.refresh_token), options),
    );
    await expect(call(fresh.access_token, "/account/loans.json", { method: "GET" })).rejects.toThrow(
      expect.objectContaining({ code: "OAUTH_WWW_AUTHENTICATE_CHALLENGE" }),
    );
  });
});

describe("GET /oauth2/authorize", () => {
  it("sends strangers to the login, and then asks with app, place and scopes in words", async () => {
    const app = await registerApp(service, { client_uri: "https://app.example/about" });
    const path = `/oauth2/authorize?${new URLSearchParams(codeRequest(app, { scope: "read ratings" }))}`;
    const stranger = await service.fetch(path, { headers: { Accept: "text/html" } });
    expect(stranger.headers.get("Location")).toBe(`/account/login?redirect=${encodeURIComponent(path)}`);
    const cookie = await person(service, "Asked");
    const page = await service.fetch(path, { headers: { ...cookie, Accept: "text/html" } });
    const text = await page.text();
    expect(page.headers.get("Content-Security-Policy")).toContain("form-action 'self' https://app.example;");
    for (const part of ["Shelf App", "<b>app.example</b>", "Rate and review books", "See your shelves"]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('value="shelves"');
  });

  it.each([
    ["com.example.app:/back", "com.example.app:"],
    ["http://127.0.0.1:8123/back", "http://127.0.0.1:8123"],
  ])("may lead to %s", async (address, source) => {
    const app = await registerApp(service, { redirect_uris: [address] });
    const cookie = await person(service, `Owner${address.length}`);
    const path = `/oauth2/authorize?${new URLSearchParams(codeRequest(app, { redirect_uri: address }))}`;
    const page = await service.fetch(path, { headers: { ...cookie, Accept: "text/html" } });
    expect(page.headers.get("Content-Security-Policy")).toContain(`form-action 'self' ${source};`);
    const answer = await consent(service, app, { cookie, redirect_uri: address });
    expect(answer.headers.get("Location")).toMatch(`${address}?code=carrel_oac_`);
  });

  it("tells the app that access was refused", async () => {
    const app = await registerApp(service);
    const cookie = await person(service, "Refuser");
    const answers = [
      await consent(service, app, { cookie, decision: "deny" }),
      await consent(service, app, { cookie, chosen: "lists" }),
    ];
    for (const answer of answers) {
      expect(redirected(answer)).toEqual({ error: "access_denied", state: "xyz", iss: ORIGIN });
    }
  });
});
