import { guardCell } from "../../catalog/patrons/csv.ts";
import { isObject } from "../../catalog/record.ts";

export const OTHER_FORMS = {
  xml: { contentType: "application/xml; charset=UTF-8", write: formatXml },
  csv: { contentType: "text/plain; charset=UTF-8", write: formatCsv },
} as const;

const WHOLE_NUMBER_MAX = 2 ** 31 - 1;
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const MARKS = new Map([
  ["<", "&lt;"],
  [">", "&gt;"],
  ["&", "&amp;"],
  ['"', "&quot;"],
]);

function formatXml(answer: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(answer).map(([name, value]) => formatElement(value, name));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<response>${parts.join("")}</response>\n`;
}

function formatElement(value: unknown, name?: string): string {
  const named = name === undefined ? "" : ` name="${escapeXml(name)}"`;
  const element = (tag: string, content: string): string => `<${tag}${named}>${content}</${tag}>`;
  if (Array.isArray(value)) return element("arr", value.map((item) => formatElement(item)).join(""));
  if (typeof value === "number") return element(numberTypeOf(value), String(value));
  if (typeof value === "boolean") return element("bool", String(value));
  if (!isObject(value)) return value === null ? `<null${named}/>` : element("str", escapeXml(String(value)));
  const { docs, ...head } = value;
  if (!Array.isArray(docs)) return element("lst", membersOf(value));
  const attributes = Object.entries(head).map(([key, item]) => ` ${key}="${escapeXml(String(item))}"`);
  const documents = docs.filter(isObject).map((item) => `<doc>${membersOf(item)}</doc>`);
  return `<result${named}${attributes.join("")}>${documents.join("")}</result>`;
}

function membersOf(value: object): string {
  return Object.entries(value)
    .map(([name, item]) => formatElement(item, name))
    .join("");
}

function numberTypeOf(value: number): string {
  if (!Number.isInteger(value)) return "double";
  return Math.abs(value) <= WHOLE_NUMBER_MAX ? "int" : "long";
}

function escapeXml(text: string): string {
  return text.replace(NO_XML, "").replace(/[<>&"]/g, (mark) => MARKS.get(mark) ?? mark);
}

/** Returns the documents of an answer as lines with a header; undefined without documents. */
function formatCsv({ response }: Readonly<Record<string, unknown>>): string | undefined {
  const docs = isObject(response) ? response["docs"] : undefined;
  if (!Array.isArray(docs)) return undefined;
  const documents = docs.filter(isObject);
  const names = [...new Set(documents.flatMap((document) => Object.keys(document)))];
  const rows = documents.map((document) => names.map((name) => formatCsvValue(document[name])));
  return [names, ...rows].map((row) => `${row.map(quoteCsv).join(",")}\n`).join("");
}

/** Returns a value as text. Several values are joined by commas; a comma in a value is escaped by a backslash. */
function formatCsvValue(value: unknown): string {
  if (typeof value === "string") return guardCell(value);
  if (!Array.isArray(value)) return value === undefined || value === null ? "" : String(value);
  const text = value.map((item) => String(item).replace(/[\\,]/g, (mark) => `\\${mark}`)).join(",");
  return typeof value[0] === "number" ? text : guardCell(text);
}

function quoteCsv(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
