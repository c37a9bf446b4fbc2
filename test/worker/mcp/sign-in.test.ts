import {
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthTokens,
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { person } from "../../support/worker/oauth.ts";
import { formOf } from "../../support/worker/accounts.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
service.now = Date.parse("2100-11-21T12:00:00Z");
/** The SDK sends tokens without TLS to the own machine only. */
const AT = "http://localhost:8080";

/** Keeps what the SDK learns, and the address to which it sends the person. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:7777/callback";
  readonly clientMetadata = {
    client_name: "Agent",
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: "none",
  };
  asked: URL | undefined;
  private client: OAuthClientInformation | undefined;
  private stored: OAuthTokens | undefined;
  private verifier = "";

  clientInformation() {
    return this.client;
  }
  saveClientInformation(client: OAuthClientInformation) {
    this.client = client;
  }
  tokens() {
    return this.stored;
  }
  saveTokens(tokens: OAuthTokens) {
    this.stored = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
}

it("the official SDK signs in where a tool asks for it, and calls the tool", async () => {
  await service.load({ key: "/works/OL1W", type: "/type/work", title: "Emma" });
  const provider = new Provider();
  const connect = async () => {
    const client = new Client({ name: "agent", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${AT}/mcp`), {
      authProvider: provider,
      fetch: (url, init) => service.fetch(String(url), init),
    });
    await client.connect(transport);
    return { client, transport };
  };
  const first = await connect();
  const call = { name: "put_on_shelf", arguments: { work: "OL1W", shelf: "want-to-read" } };
  await expect(first.client.callTool(call)).rejects.toThrow(UnauthorizedError);

  const asked = provider.asked?.searchParams ?? new URLSearchParams();
  expect(Object.fromEntries(asked)).toMatchObject({ resource: `${AT}/mcp`, scope: "shelves" });
  const cookie = await person(service, "Reader");
  const form = new URLSearchParams(
    [...asked].map(([name, value]) => [name === "scope" ? "asked" : name, value]),
  );
  form.append("scope", "shelves");
  form.append("decision", "allow");
  const headers = { ...formOf({}).headers, ...cookie };
  const allowed = await service.fetch(`${AT}/oauth2/authorize`, {
    method: "POST",
    body: form.toString(),
    headers,
  });
  const back = new URL(allowed.headers.get("Location") ?? "");
  await first.transport.finishAuth(back.searchParams);

  const second = await connect();
  const result = await second.client.callTool(call);
  expect(result.structuredContent).toMatchObject({ shelf: "want-to-read" });
});
