import { describe, expect, it } from "vitest";
import { clientGroup } from "../../../src/worker/http/client-address.ts";
import {
  REDIRECT_LENGTH_MAX,
  isLocalPath,
  redirectTarget,
} from "../../../src/worker/http/redirect-target.ts";

describe("redirect after login", () => {
  it.each([
    ["/", true],
    ["/books", true],
    ["/account/books", true],
    ["/search?q=a%20b&redirect=https://example.com", true],
    ["/people/jane#top", true],
    [`/${"a".repeat(REDIRECT_LENGTH_MAX - 1)}`, true],
    [`/${"a".repeat(REDIRECT_LENGTH_MAX)}`, false],
    ["", false],
    ["books", false],
    [" /books", false],
    ["https://evil.example", false],
    ["http://evil.com", false],
    ["javascript:alert(1)", false],
    ["//evil.example", false],
    ["/\\evil.example", false],
    ["/books\\evil", false],
    ["\\\\evil.example", false],
    ["/\t/evil.example", false],
    ["/\n/evil.example", false],
    ["/books\r\nSet-Cookie: a=b", false],
    ["/\u0000", false],
    ["/\u0085", false],
  ])("%j: %s", (text, isAccepted) => {
    expect(isLocalPath(text)).toBe(isAccepted);
    expect(redirectTarget(text)).toBe(isAccepted ? text : undefined);
  });

  it("accepts addresses that name the login in their query", () => {
    expect(redirectTarget("/search?q=/account/login")).toBe("/search?q=/account/login");
  });

  it.each([
    "/account/login",
    "/account/login?redirect=/books",
    "/account/create",
    "/account/verify?t=1",
    "/x/account/login",
  ])("%s is refused as a redirect loop", (text) => {
    expect(isLocalPath(text)).toBe(true);
    expect(redirectTarget(text)).toBeUndefined();
  });
});

describe("the address that a client is counted by", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["local", "local"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::", "fe80:0:0:0::/64"],
    ["2001:db8::4:5:6:7:8", "2001:db8:0:4::/64"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["0:0:0:0:0:FFFF:c000:0201", "192.0.2.1"],
    ["no:address", "no:address"],
  ])("%s is %s", (client, group) => {
    expect(clientGroup(client)).toBe(group);
  });
});
