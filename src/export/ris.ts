import type { Book } from "./book.ts";
import { fullTitleOf, isbnOf, languageTagOf } from "./csl.ts";
import { type AgentRole, agentRoleOf, sortedNameOf } from "./names.ts";

/** Tags for the makers of a book. For other roles there is no tag that programs agree on. */
const PARTS: readonly (readonly [tag: string, part: AgentRole])[] = [
  ["AU", "author"],
  ["ED", "editor"],
  ["A4", "translator"],
];
const LINE_BREAKS = /[\r\n]+/;

/** Formats a book as a RIS reference for reference managers; lines end with CR LF. */
export function formatRis(book: Book): string {
  const {
    series: [series],
    issued,
  } = book;
  const { year, month, day } = issued ?? {};
  const date = [year, month, day].map((part) => (part === undefined ? "" : String(part).padStart(2, "0")));
  const fields: (readonly [tag: string, value: string | number | undefined])[] = [
    ["TY", "BOOK"],
    ["ID", book.id],
    ["TI", fullTitleOf(book)],
    ...PARTS.flatMap(([tag, part]) =>
      book.agents.filter((agent) => agentRoleOf(agent) === part).map((agent) => [tag, sortedNameOf(agent)] as const),
    ),
    ["PY", year],
    ["DA", issued === undefined ? undefined : `${date.join("/")}/`],
    ["PB", book.publishers[0]],
    ["CY", book.publishPlaces[0]],
    ["ET", book.edition],
    ["T2", series?.title],
    ["VL", series?.number],
    ["SP", book.pages],
    ["SN", isbnOf(book)],
    ["CN", book.congressClasses[0] ?? book.deweyClasses[0]],
    ["LA", languageTagOf(book)],
    ["AB", book.description],
    ...book.subjects.map((subject) => ["KW", subject] as const),
    ["UR", book.url],
  ];
  const lines = fields.flatMap(([tag, value]) =>
    value === undefined || value === "" ? [] : [`${tag}  - ${joinLines(String(value))}\r\n`],
  );
  return `${lines.join("")}ER  - \r\n`;
}

function joinLines(text: string): string {
  const lines = text.split(LINE_BREAKS).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
