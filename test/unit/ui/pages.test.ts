import { beforeAll, describe, expect, it } from "vitest";
import { compareMembers } from "../../../src/catalog/compare.ts";
import { wantsHtml, wantsJson } from "../../../src/worker/http/accept.ts";
import { type Reader, ANONYMOUS_READER, LANGUAGES } from "../../../src/worker/http/pages/reader.ts";
import { importTexts } from "../../../src/worker/http/pages/texts.ts";
import type { Reply } from "../../../src/worker/http/reply.ts";
import { factList } from "../../../src/worker/ui/facts.ts";
import { form } from "../../../src/worker/ui/form.ts";
import { page } from "../../../src/worker/ui/layout.ts";
import { addressOf, dataBlock, markup, shortText } from "../../../src/worker/ui/markup.ts";
import { commas, showFirst } from "../../../src/worker/ui/parts.ts";
import { table } from "../../../src/worker/ui/table.ts";
import { moment, t } from "../../../src/worker/ui/words.ts";

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

/** Renders a page for a client. */
function shown({ body }: Reply, reader: Partial<Reader> = {}): string {
  if (typeof body !== "function") throw new Error("this is no page");
  return body({ ...ANONYMOUS_READER, ...reader });
}

describe("pages", () => {
  beforeAll(async () => {
    for (const language of LANGUAGES) await importTexts(language);
  });

  it("allow form answers to lead only to named sites", () => {
    const policy = (formsLeadTo?: string) =>
      page({ title: "", body: "", ...(formsLeadTo === undefined ? {} : { formsLeadTo }) }).headers?.[
        "Content-Security-Policy"
      ];
    expect(policy()).toContain("; form-action 'self';");
    expect(policy("https://reader.example/a/b")).toContain("; form-action 'self' https://reader.example;");
  });

  it("render no list without values", () => {
    expect(
      factList([
        ["Born", ""],
        ["Died", undefined],
      ]),
    ).toBeUndefined();
    expect(String(factList([["Born", "1920"]]))).toBe('<dl class="facts"><dt>Born</dt><dd>1920</dd></dl>');
  });

  it("show the first of many values", () => {
    const show = (values: string[]) => String(commas(showFirst(values, 2, (value) => value)));
    expect(show(["a", "b"])).toBe("a, b");
    expect(show(["a", "b", "c", "d"])).toBe("a, b, 2 more");
  });

  it("cut long texts between characters", () => {
    expect(shortText("a".repeat(1000))).toBe("a".repeat(1000));
    expect(shortText("a".repeat(1001))).toBe(`${"a".repeat(999)}…`);
    expect(shortText(`${"a".repeat(998)}😀bc`)).toBe(`${"a".repeat(998)}…`);
  });

  it("show moments to the second in valid HTML", () => {
    expect(String(moment("2026-11-01T01:02:03.456789"))).toBe(
      '<time datetime="2026-11-01T01:02:03Z" title="2026-11-01 01:02:03 UTC">1 Nov 2026, 01:02</time> UTC',
    );
  });

  it("escape all their values", () => {
    const evil = `<script>"'&`;
    const safe = "&lt;script&gt;&quot;&#39;&amp;";
    const text = shown(
      page({
        title: evil,
        body: [
          factList([[evil, evil]]),
          table({ caption: evil, columns: [evil], rows: [[evil, evil]] }),
          form({
            action: evil,
            submit: evil,
            fields: [{ name: "a", label: evil, value: evil, error: evil }],
          }),
        ],
      }),
    );
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text.split(safe).length).toBeGreaterThan(12);
  });

  it("are complete documents that may only show text", () => {
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
    for (const part of [
      '<html lang="en" dir="ltr">',
      "viewport",
      'href="#content"',
      "<title>Title – Carrel</title>",
      "<h1>Title</h1>",
      "<p>a1b</p>",
    ]) {
      expect(shown(reply)).toContain(part);
    }
  });

  it("show who is logged in, or a login link that comes back", () => {
    const reply = page({ title: "Title", body: "" });
    const out = shown(reply, { here: "/works/OL1W?page=2" });
    expect(out).toContain('<a href="/account/login?redirect=%2Fworks%2FOL1W%3Fpage%3D2">Log in</a>');
    expect(out).not.toContain("/account/logout");
    expect(shown(reply, { here: "/account/login" })).toContain('<a href="/account/login">Log in</a>');
    const own = shown(reply, { username: "<Ann>" });
    expect(own).toContain("&lt;Ann&gt;</b></summary>");
    expect(own).toContain('action="/account/logout"');
  });

  it("use the reader's language", () => {
    const reply = page({ title: t("error.404"), body: "" });
    expect(shown(reply, { language: "de" })).toContain("<h1>Seite nicht gefunden</h1>");
    expect(shown(reply, { language: "de" })).toContain('<option value="de" lang="de" selected>Deutsch');
    expect(shown(reply, { language: "ar" })).toContain('<html lang="ar" dir="rtl">');
  });

  it("show the outcome of the last action once", () => {
    const messages = [
      { type: "success" as const, words: "notice.language" },
      { type: "error" as const, message: "<No>", words: "no.such" },
    ];
    const text = shown(page({ title: "", body: "" }), { messages });
    expect(text).toContain('<div class="notice good" role="status"><p>Language changed');
    expect(text).toContain('<div class="notice bad" role="alert"><p><span lang="en">&lt;No&gt;</span></p>');
  });

  it("can hold data outside scripts", () => {
    const text = String(dataBlock("application/ld+json", { name: "</script><!--" }));
    expect(text).toBe('<script type="application/ld+json">{"name":"\\u003c/script>\\u003c!--"}</script>');
  });

  it("link labels, hints and errors to fields", () => {
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

describe("compareMembers", () => {
  it("names differences and missing members", () => {
    const before = { revision: 1, title: "a", same: [1], gone: null, subjects: ["x"] };
    const after = { revision: 2, added: true, title: "b", same: [1], subjects: ["x", "y"] };
    expect(compareMembers(before, after)).toEqual([
      { name: "added", before: undefined, after: true },
      { name: "title", before: "a", after: "b" },
      { name: "subjects", before: ["x"], after: ["x", "y"] },
      { name: "gone", before: null, after: undefined },
    ]);
    expect(compareMembers({}, { constructor: "x" })).toHaveLength(1);
    expect(compareMembers(after, after)).toEqual([]);
  });
});
