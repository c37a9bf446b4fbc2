import { describe, expect, it } from "vitest";
import { parseProxies } from "../../../scripts/lib/serve/arguments.ts";
import {
  type FrontRules,
  clientAddress,
  escapeUrl,
  isSecret,
  rewriteHeaders,
  removePrefix,
} from "../../../scripts/lib/serve/requests.ts";

describe("the address of a client", () => {
  const trusted = parseProxies("loopback, 10.0.0.0/8 2001:db8::/32");

  it.each([
    ["without a proxy", "192.0.2.1", undefined, "192.0.2.1"],
    ["that names another one itself", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
    ["behind a proxy", "127.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["behind a proxy that listens on both protocols", "::ffff:127.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["behind two proxies", "127.0.0.1", "192.0.2.1, 10.1.2.3", "192.0.2.1"],
    ["that puts an address before its own", "127.0.0.1", "203.0.113.9, 192.0.2.1, 10.1.2.3", "192.0.2.1"],
    ["that puts a trusted address before its own", "127.0.0.1", "10.9.9.9, 192.0.2.1", "192.0.2.1"],
    ["with a port", "127.0.0.1", "192.0.2.1:4711", "192.0.2.1"],
    ["with IPv6", "2001:db8::1", "2a00:1450::5", "2a00:1450::5"],
    ["with IPv6 and a port", "127.0.0.1", "[2a00:1450::5]:4711", "2a00:1450::5"],
    ["mapped to IPv6", "127.0.0.1", "::ffff:192.0.2.1", "192.0.2.1"],
    ["that a proxy does not know", "127.0.0.1", "unknown", "127.0.0.1"],
    ["that a proxy does not name", "127.0.0.1", undefined, "127.0.0.1"],
    ["which is no address", "127.0.0.1", "192.0.2.1, <script>", "127.0.0.1"],
    ["which is only proxies", "127.0.0.1", "10.0.0.1", "10.0.0.1"],
  ])("%s", (_what, peer, forwarded, expected) => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    expect(clientAddress(peer, headers, trusted)).toBe(expected);
  });

  it("is that of the connection if no proxy is trusted", () => {
    expect(clientAddress("127.0.0.1", { "x-forwarded-for": "192.0.2.1" }, parseProxies())).toBe("127.0.0.1");
  });

  it.each(["proxy.example", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/", "300.1.1.1"])(
    "trusts no such proxy: %s",
    (name) => {
      expect(() => parseProxies(name)).toThrow(`not "${name}"`);
    },
  );
});

describe("headers that reach the worker", () => {
  const names = ["Remote-User", "Remote-Email", "Remote-Name"];
  const rules: FrontRules = {
    trusted: parseProxies("10.0.0.1"),
    protocol: "https",
    identity: { names, secret: "made-at-the-start" },
  };
  const identity = (said: object) =>
    `made-at-the-start ${Buffer.from(JSON.stringify(said)).toString("base64url")}`;
  const ann = { user: "ann", email: "ann@example.org", name: "" };

  it.each<[string, string, Record<string, string>, Record<string, string | undefined>]>([
    ["of a client", "192.0.2.1", { "cf-connecting-ip": "1.1.1.1", expect: "100-continue" }, {}],
    [
      "of a client that forges a login",
      "192.0.2.1",
      { "carrel-forward-auth": "x", "remote-user": "ann" },
      {},
    ],
    ["of a client that says HTTPS", "192.0.2.1", { "x-forwarded-proto": "https" }, {}],
    [
      "of a proxy",
      "10.0.0.1",
      { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https" },
      { "x-forwarded-proto": "https" },
    ],
    [
      "of a proxy that decrypts silently",
      "10.0.0.1",
      { "x-forwarded-for": "192.0.2.1" },
      { "x-forwarded-proto": "https" },
    ],
    [
      "of a proxy for a client without encryption",
      "10.0.0.1",
      { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "http" },
      {},
    ],
    [
      "of a proxy that names a reader",
      "10.0.0.1",
      { "x-forwarded-for": "192.0.2.1", "remote-user": "ann", "remote-email": "ann@example.org" },
      { "x-forwarded-proto": "https", "carrel-forward-auth": identity(ann) },
    ],
    [
      "of a proxy that names no reader, for a client that forges",
      "10.0.0.1",
      { "x-forwarded-for": "192.0.2.1", "carrel-forward-auth": "x" },
      { "x-forwarded-proto": "https" },
    ],
  ])("%s", (_what, peer, sent, expected) => {
    const headers: Record<string, string> = { ...sent };
    rewriteHeaders(headers, peer, rules);
    expect(headers).toEqual({ "cf-connecting-ip": "192.0.2.1", "x-forwarded-proto": "http", ...expected });
  });

  it("of commands on this machine, which need no encryption", () => {
    const headers: Record<string, string> = {};
    rewriteHeaders(headers, "127.0.0.1", rules);
    expect(headers).toEqual({ "cf-connecting-ip": "127.0.0.1", "x-forwarded-proto": "https" });
  });

  it("read names in UTF-8, as proxies send them", () => {
    const headers = { "remote-user": "ann", "remote-name": Buffer.from("Änne").toString("latin1") };
    rewriteHeaders(headers, "10.0.0.1", rules);
    expect(headers).toMatchObject({
      "carrel-forward-auth": identity({ user: "ann", email: "", name: "Änne" }),
    });
  });
});

it.each([
  ["/catalog", "/catalog", "/"],
  ["/catalog/", "/catalog", "/"],
  ["/catalog?q=a", "/catalog", "/?q=a"],
  ["/catalog/works/OL1W", "/catalog", "/works/OL1W"],
  ["/catalogue", "/catalog", undefined],
  ["/works/OL1W", "/catalog", undefined],
  ["/works/OL1W", "", "/works/OL1W"],
  ["/.well-known/oauth-authorization-server/catalog", "/catalog", "/.well-known/oauth-authorization-server"],
  [
    "/.well-known/oauth-protected-resource/catalog/mcp?a",
    "/catalog",
    "/.well-known/oauth-protected-resource/mcp?a",
  ],
  ["/.well-known/oauth-protected-resource/mcp", "/catalog", undefined],
  ["/.well-known/oauth-authorization-server", "", "/.well-known/oauth-authorization-server"],
])("%s of the site at %s is %s", (url, prefix, expected) => {
  expect(removePrefix(url, prefix)).toBe(expected);
});

it("escapes what the runtime refuses", () => {
  expect(escapeUrl('/search?q="a"<b>`')).toBe("/search?q=%22a%22%3Cb%3E%60");
});

it.each([
  ["Bearer secret", true],
  ["Bearer secre", false],
  ["secret", false],
  [undefined, false],
])("takes %s as the operator's: %s", (authorization, expected) => {
  expect(isSecret(authorization, "secret")).toBe(expected);
});
