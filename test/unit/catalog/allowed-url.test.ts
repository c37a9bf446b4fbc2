import { describe, expect, it } from "vitest";
import { parseAllowedUrl } from "../../../src/catalog/allowed-url.ts";

const HOSTS = ["archive.org", "books.google.com", "m.media-amazon.com", "koha.example:8080"];

describe("parseAllowedUrl", () => {
  it.each([
    "https://m.media-amazon.com/images/I/1.jpg",
    "http://m.media-amazon.com/images/I/1.jpg",
    "https://m.MEDIA-amazon.com/images/I/1.jpg",
    "HTTPS://Archive.org:443/download/x/page/cover.jpg",
    "http://archive.org:80/",
    " https://archive.org/services/img/x\n",
    "http://koha.example:8080/cgi-bin/koha",
  ])("allows %j", (address) => expect(parseAllowedUrl(address, HOSTS)?.protocol).toMatch(/^https?:$/));

  it("compares hosts case-insensitively", () => {
    expect(parseAllowedUrl("https://archive.org/", ["Archive.ORG"])?.host).toBe("archive.org");
  });

  it.each([
    null,
    "",
    "/b/id/1.jpg",
    "not a url",
    "https://not-supported.org/image.jpg",
    "https://archive.org.example/x",
    "https://www.archive.org/x",
    "https://notarchive.org/x",
    "https://archive.org./x",
    "https://archive.org:8443/x",
    "http://archive.org:443/x",
    "https://koha.example/x",
    "https://archive.org@127.0.0.1/x",
    "https://user@archive.org/x",
    "https://user:secret@archive.org/x",
    "https://127.0.0.1\\@archive.org/x",
    "//archive.org/x",
    "ftp://archive.org/x",
    "file:///etc/passwd",
    "javascript:alert(1)//archive.org",
    "data:image/png;base64,AAAA",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
    "http://localhost/",
    "http://2130706433/",
  ])("refuses %j", (address) => expect(parseAllowedUrl(address, HOSTS)).toBeUndefined());

  it("refuses every address without hosts", () =>
    expect(parseAllowedUrl("https://archive.org/", [])).toBeUndefined());

  it.each([
    ["https://archive.org/x", true],
    ["https://dn1.us.archive.org/x", true],
    ["https://notarchive.org/x", false],
    ["https://archive.org.example/x", false],
    ["https://dn1.archive.org:22/x", false],
    ["https://user@dn1.archive.org/x", false],
    ["http://x.koha.example:8080/x", true],
    ["https://.example/x", false],
  ])("with subdomains, %s: %s", (address, isAllowed) => {
    expect(parseAllowedUrl(address, HOSTS, { subdomains: true }) !== undefined).toBe(isAllowed);
  });
});
