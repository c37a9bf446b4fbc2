import { operation } from "../http/operation.ts";
import { ANONYMOUS_READER } from "../http/pages/reader.ts";
import { accountMenu, page } from "../ui/layout.ts";
import { bookRow, bookRows, grid, bookShelf } from "../ui/book-row.ts";
import { changeTable } from "../ui/change-table.ts";
import { bars, monthColumns, yearBars } from "../ui/chart.ts";
import { chips, removableChips } from "../ui/chip.ts";
import { cover } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import { facet, rail } from "../ui/facet.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { type Piece, markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { picker, terms } from "../ui/picker.ts";
import { live, progress, refreshing } from "../ui/progress.ts";
import { histogram, ratingLine, starForm } from "../ui/stars.ts";
import { table } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { section } from "../ui/values.ts";
import { day, moment, number } from "../ui/words.ts";

const LONG = "The surprising adventures of a shelf that held more than anybody thought, told by itself";
const EMMA = {
  key: "/works/OL1W",
  href: "/works/OL1W",
  title: "Emma",
  authors: [{ name: "Jane Austen", href: "/authors/OL1A" }],
  cover: undefined,
};
const PICTURED = { ...EMMA, key: "/works/OL2W", title: LONG, cover: 1 };
const ARABIC = {
  ...EMMA,
  key: "/works/OL3W",
  title: "ألف ليلة وليلة",
  lang: "ar",
  authors: [{ name: "Nobody" }],
};
const NAMELESS = { ...EMMA, key: "/works/OL4W", title: "Beowulf", authors: [] };
const BOOKS = [EMMA, PICTURED, ARABIC, NAMELESS];
const RATINGS = { average: 4.26, counts: [1, 0, 2, 12, 1203] };
const OPTIONS = [
  { key: "/authors/OL1A", name: "Jane Austen", note: "1775–1817" },
  { key: "/authors/OL2A", name: "Jane Austen" },
];

const PARTS: readonly (readonly [name: string, content: Piece])[] = [
  ["account-menu", [accountMenu(ANONYMOUS_READER), accountMenu({ ...ANONYMOUS_READER, username: "patron" })]],
  [
    "book-row",
    bookRows(
      BOOKS.map((book) => bookRow(book, { notes: ["1815", markup`${number(1234)}`], action: dropper(book) })),
    ),
  ],
  [
    "change-table",
    changeTable(
      [
        { name: "title", before: "Emma", after: LONG },
        { name: "subjects", before: ["Love", "England"], after: ["Love", "Villages"] },
        { name: "notes", before: undefined, after: "New" },
      ],
      "Revision 1",
      "Revision 2",
    ),
  ],
  [
    "chart",
    [
      monthColumns("Books of the year", [1, 0, 12, 3]),
      bars("Subjects", [
        { name: "Love", count: 12 },
        { name: LONG, count: 1 },
      ]),
    ],
  ],
  [
    "chip",
    [
      chips([
        { href: "/", text: "Love", count: 12 },
        { href: "/", text: LONG },
      ]),
      removableChips("Chosen", [{ href: "/", text: "Love" }]),
    ],
  ],
  [
    "cover",
    BOOKS.map(({ key, title, cover: id }) => cover({ key, title, by: "Jane Austen", id, width: 112 })),
  ],
  ["dropper", ([null, 1, 2, 3, 4] as const).map((id) => dropper({ ...EMMA, shelf: id }))],
  [
    "facet",
    rail("Narrow", "Narrow 12 books", [
      facet("Authors", [
        { href: "/", text: "Jane Austen", count: 12 },
        { href: "/", text: LONG },
      ]),
      facet("Closed", [{ href: "/", text: "One" }], { isOpen: false }),
      facet(
        "Many",
        Array.from({ length: 9 }, (_, at) => ({ href: "/", text: `Value ${at}`, count: 9 - at })),
      ),
    ]),
  ],
  [
    "facts",
    factList([
      ["Published", day("2026-11-23")],
      ["Changed", moment("2026-11-23T01:02:03")],
      ["Nothing", undefined],
    ]),
  ],
  [
    "form",
    form({
      action: "/dev/components",
      method: "get",
      submit: "Save",
      fields: [
        { name: "plain", label: "Plain", hint: "A hint", required: true },
        { name: "wrong", label: "Wrong", value: "x", error: "This is wrong." },
        { name: "long", label: "Long", type: "textarea", value: LONG },
        { name: "ticked", label: "Ticked", type: "checkbox", checked: true },
      ],
    }),
  ],
  [
    "notice",
    [
      notice("good", "It is saved."),
      notice("bad", "It is not saved."),
      notice("plain", "This is an older revision."),
    ],
  ],
  ["pager", pageLinks("/", "/", PAGE_TURNS)],
  [
    "picker",
    markup`<form action="/dev/components">${picker({ name: "author", label: "Author", source: "/authors/_autocomplete", hint: "Who wrote it" })}
${picker({ name: "picked", label: "Picked author", source: "/authors/_autocomplete", picked: OPTIONS[0] })}
${picker({ name: "found", label: "Author to pick", source: "/authors/_autocomplete", typed: "austen", matches: OPTIONS })}
${picker({ name: "missing", label: "Missing author", source: "/authors/_autocomplete", typed: "xyz", matches: [], error: "Please pick one." })}</form>`,
  ],
  [
    "progress",
    live("progress", false, [
      progress({ label: "Records", done: 1200, total: 5000 }),
      progress({ label: "Files", done: 3 }),
    ]),
  ],
  ["shelf", [bookShelf(BOOKS), grid(BOOKS.map((book) => [book, dropper(book)]))]],
  [
    "stars",
    [
      markup`<p>${ratingLine(RATINGS)}</p><p>${ratingLine({ average: 0, counts: [0, 0, 0, 0, 0] })}</p>`,
      histogram(RATINGS),
      starForm({ ...EMMA, stars: null }),
      starForm({ ...PICTURED, stars: 4 }),
    ],
  ],
  [
    "table",
    table({
      caption: "Counts",
      columns: ["Name", "Count"],
      rows: [
        ["Works", number(1234)],
        [LONG, "–"],
      ],
    }),
  ],
  [
    "tabs",
    tabs("Shelves", [
      { href: "/", text: "All", isCurrent: true, count: 3 },
      { href: "/", text: "Read", isCurrent: false },
    ]),
  ],
  [
    "terms",
    markup`<form action="/dev/components">${terms({ field: { name: "subjects", label: "Subjects", value: "Love" }, source: "/subjects_autocomplete", between: ", " })}
${terms({ field: { name: "seeds", label: "What is in the list", value: "/works/OL1W" }, source: "/works/_autocomplete", between: "\n", keysOf: "Works" })}
${terms({ field: { name: "people", label: "People" }, source: "/subjects_autocomplete", between: ", ", typed: "austen", matches: OPTIONS })}</form>`,
  ],
  [
    "years",
    yearBars([
      { year: 1813, count: 2 },
      { year: 1900, count: 40 },
      { year: 2025, count: 12 },
    ]),
  ],
];

export const components = operation({
  id: "components",
  summary: "Show every component of the pages in every state (development only)",
  tag: "service",
  responses: {
    200: { description: "Page of components", contentType: "text/html" },
    404: { description: "Not a development service" },
  },
  handle: () =>
    page({
      title: "Components",
      head: refreshing(false),
      body: PARTS.map(([name, content]) => section(name, content, `part-${name}`)),
    }),
});
