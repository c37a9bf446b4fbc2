import { describe, expect, it } from "vitest";
import {
  type Columns,
  dataFacts,
  dataTable,
  toKeyedRows,
  toNamedRows,
  valueText,
} from "../../../src/worker/ui/data-page.ts";
import { markup } from "../../../src/worker/ui/markup.ts";

describe("valueText", () => {
  it.each<[unknown, string]>([
    [12345, "12,345"],
    [0, "0"],
    [true, "yes"],
    [false, "no"],
    ["<b>", "&lt;b&gt;"],
    ["2026-11-30", '<time datetime="2026-11-30">30 November 2026</time>'],
    ["/people/ann", '<a href="/admin/people/ann">/people/ann</a>'],
    ["/people/ann/lists/OL1L", '<a href="/people/ann/lists/OL1L">/people/ann/lists/OL1L</a>'],
    ["//evil.example", "//evil.example"],
    [["a", 2], "a, 2"],
    [[], ""],
    [{ messages: 3, bytes: 1200 }, "messages: 3, bytes: 1,200"],
    [null, ""],
    [undefined, ""],
  ])("shows %j as %s", (value, html) => {
    expect(String(markup`${valueText(value)}`)).toBe(html);
  });

  it("shows a time in UTC, with the seconds in its title", () => {
    expect(String(markup`${valueText("2026-11-30T12:34:56.000001")}`)).toBe(
      '<time datetime="2026-11-30T12:34:56Z" title="2026-11-30 12:34:56 UTC">30 Nov 2026, 12:34</time> UTC',
    );
  });
});

describe("dataTable", () => {
  const columns: Columns<{ name: string; edits: number; seen: string | null; secret: string }> = {
    name: "admin.username",
    edits: ["admin.changes", (edits) => `${edits} edits`],
    seen: "admin.last_used",
  };

  it("has a column for each member with words, in their order, and a dash for a missing value", () => {
    const rows = [{ seen: null, secret: "s", edits: 2, name: "ann" }];
    const html = String(dataTable({ caption: "All", members: columns, rows }));
    expect([...html.matchAll(/<th scope="col">([^<]*)/g)].map(([, text]) => text)).toEqual([
      "Username",
      "Changes",
      "Last used",
    ]);
    expect(html).toContain('<tr><th scope="row">ann</th><td>2 edits</td><td>–</td></tr>');
  });

  it("is a sentence without rows", () => {
    const none = { caption: "All", members: columns, rows: [] };
    expect(String(dataTable(none))).toBe("<p>Nothing here yet</p>");
    expect(String(dataTable({ ...none, none: "admin.no_accounts" }))).toBe("<p>No such account</p>");
  });

  it("takes rows from objects whose members are named by data", () => {
    expect(toNamedRows({ a: 1 })).toEqual([{ name: "a", value: 1 }]);
    expect(toKeyedRows({ a: { ok: true } })).toEqual([{ name: "a", ok: true }]);
  });
});

describe("dataFacts", () => {
  it("leaves out members without words or value", () => {
    const html = String(
      dataFacts({ id: 0, email: null, bot: false }, { id: "admin.change", email: "admin.email" }),
    );
    expect(html).toBe('<dl class="facts"><dt>Change</dt><dd>0</dd></dl>');
  });
});
