import { describe, expect, it } from "vitest";
import { changedMembers } from "../../../src/catalog/compare.ts";
import { wantsHtml, wantsJson } from "../../../src/worker/http/accept.ts";
import { form } from "../../../src/worker/ui/form.ts";
import { page } from "../../../src/worker/ui/layout.ts";
import { addressOf, markup, shortText } from "../../../src/worker/ui/markup.ts";
import { commas, definitions, firstOf, moment, table } from "../../../src/worker/ui/parts.ts";

describe("wantsHtml", () => {
  it.each([
    [null, false],
    ["", false],
    ["*/*", false],
    ["application/json", false],
    ["text/html", true],
    ["TEXT/HTML", true],
    ["text/*", true],
    ["text/plain", false],
    ["application/xhtml+xml", true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["application/json, text/html", false],
    ["application/json;q=0.9, text/html", true],
    ["text/html;q=0.5, application/json", false],
    ["text/html;q=0.5, */*", false],
    ["text/html;q=0", false],
    ["text/html;q=x", true],
    ["application/*, text/html;q=0.9", false],
  ])("Accept: %s: %s", (accept, expected) => {
    const headers: HeadersInit = accept === null ? {} : { Accept: accept };
    expect(wantsHtml(new Request("http://carrel.test/", { headers }))).toBe(expected);
  });
});

describe("wantsJson", () => {
  it.each([
    [null, false],
    ["*/*", false],
    ["application/json", true],
    ["application/json, text/plain, */*", true],
    ["text/html, application/json", false],
    ["text/html;q=0.5, application/json", true],
    ["application/json;q=0.5, */*", false],
    ["application/json;q=0", false],
    ["application/ld+json", false],
  ])("Accept: %s: %s", (accept, expected) => {
    const headers: HeadersInit = accept === null ? {} : { Accept: accept };
    expect(wantsJson(new Request("http://carrel.test/", { headers }))).toBe(expected);
  });
});

describe("addressOf", () => {
  it.each([
    ["/works/OL1W", "/works/OL1W"],
    ["/a b/?x#y", "/a%20b/%3Fx%23y"],
    ["//example.com/a", "/%2Fexample.com/a"],
    ["///example.com", "/%2F%2Fexample.com"],
    ["/\\example.com", "/%5Cexample.com"],
    ["javascript:alert(1)", "/javascript%3Aalert(1)"],
    ["/\ud800", "/%EF%BF%BD"],
  ])("%s", (key, expected) => {
    expect(addressOf(key)).toBe(expected);
  });
});

describe("pages", () => {
  it("let answers to forms lead to another site only where it is named", () => {
    const policy = (formsLeadTo?: string) =>
      page({ title: "", body: "", ...(formsLeadTo === undefined ? {} : { formsLeadTo }) }).headers?.[
        "Content-Security-Policy"
      ];
    expect(policy()).toContain("; form-action 'self';");
    expect(policy("https://reader.example/a/b")).toContain("; form-action 'self' https://reader.example;");
  });

  it("have no list of nothing", () => {
    expect(
      definitions([
        ["Born", ""],
        ["Died", undefined],
      ]),
    ).toBeUndefined();
    expect(String(definitions([["Born", "1920"]]))).toBe("<dl><dt>Born</dt><dd>1920</dd></dl>");
  });

  it("show the first of many values", () => {
    const show = (values: string[]) => String(commas(firstOf(values, 2, (value) => value)));
    expect(show(["a", "b"])).toBe("a, b");
    expect(show(["a", "b", "c", "d"])).toBe("a, b, 2 more");
  });

  it("cut long texts, but no character in two", () => {
    expect(shortText("a".repeat(1000))).toBe("a".repeat(1000));
    expect(shortText("a".repeat(1001))).toBe(`${"a".repeat(999)}…`);
    expect(shortText(`${"a".repeat(998)}😀bc`)).toBe(`${"a".repeat(998)}…`);
  });

  it("show moments to the second, as HTML can have them", () => {
    expect(String(moment("2026-11-01T01:02:03.456789"))).toBe(
      '<time datetime="2026-11-01T01:02:03Z">2026-11-01 01:02:03 UTC</time>',
    );
  });

  it("escape everything that they are given", () => {
    const evil = `<script>"'&`;
    const safe = "&lt;script&gt;&quot;&#39;&amp;";
    const text = String(
      page({
        title: evil,
        body: [
          definitions([[evil, evil]]),
          table({ caption: evil, columns: [evil], rows: [[evil, evil]] }),
          form({
            action: evil,
            submit: evil,
            fields: [{ name: "a", label: evil, value: evil, error: evil }],
          }),
        ],
      }).body,
    );
    expect(text).not.toContain("<script");
    expect(text.split(safe).length).toBeGreaterThan(12);
  });

  it("are complete documents that may do nothing but show text", () => {
    const reply = page({ title: "Title", body: markup`<p>${"a"}${undefined}${null}${false}${[1, "b"]}</p>` });
    expect(reply).toMatchObject({
      status: 200,
      contentType: "text/html; charset=utf-8",
      cacheControl: "no-store",
    });
    const csp = reply.headers?.["Content-Security-Policy"] ?? "";
    for (const rule of [
      "default-src 'none'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(csp).toContain(rule);
    }
    // From there people log out.
    const account = '<a href="/account">Account</a>';
    for (const part of [
      '<html lang="en">',
      "viewport",
      'href="#content"',
      account,
      "<h1>Title</h1>",
      "<p>a1b</p>",
    ]) {
      expect(reply.body).toContain(part);
    }
  });

  it("tie labels, hints and errors to fields", () => {
    const text = String(
      form({
        action: "/x",
        submit: "Go",
        fields: [
          {
            name: "user",
            label: "Name",
            hint: "Short",
            error: "Too long",
            required: true,
            autocomplete: "username",
          },
          { name: "note", label: "Note", type: "textarea", value: "\nfirst" },
          { name: "on", label: "On", type: "checkbox", checked: true },
          { name: "next", label: "", type: "hidden", value: "/y" },
        ],
      }),
    );
    expect(text).toContain('<label for="user">Name</label>');
    expect(text).toContain('aria-describedby="user-hint user-error" aria-invalid="true" required');
    expect(text).toMatch(/role="alert"[^]*<a href="#user">Too long<\/a>/);
    expect(text).toContain('id="note" name="note">\n\nfirst</textarea>');
    expect(text).toContain('value="true" id="on" name="on" checked');
    expect(text).toContain('<input type="hidden" name="next" value="/y"');
  });
});

describe("changedMembers", () => {
  it("names what differs, and what one of the two lacks", () => {
    const before = { revision: 1, title: "a", same: [1], gone: null, subjects: ["x"] };
    const after = { revision: 2, added: true, title: "b", same: [1], subjects: ["x", "y"] };
    expect(changedMembers(before, after)).toEqual([
      { name: "added", before: undefined, after: true },
      { name: "title", before: "a", after: "b" },
      { name: "subjects", before: ["x"], after: ["x", "y"] },
      { name: "gone", before: null, after: undefined },
    ]);
    expect(changedMembers({}, { constructor: "x" })).toHaveLength(1);
    expect(changedMembers(after, after)).toEqual([]);
  });
});
