import { env } from "cloudflare:workers";

const encoder = new TextEncoder();
const FIELD_END = "\u001e";
const RECORD_END = "\u001d";
const SUBFIELD = "\u001f";

/** A field: its tag, and a value or subfields with their codes. */
export type TestField = readonly [tag: string, content: string | Readonly<Record<string, string>>];

interface MarcOptions {
  /** Kind and level of the record in its leader. */
  readonly kind?: string;
}

/** A MARC record in UTF-8. */
export function marcBytes(fields: readonly TestField[], { kind = "am" }: MarcOptions = {}): Uint8Array {
  let directory = "";
  let data = "";
  for (const [tag, content] of fields) {
    const text = fieldText(content) + FIELD_END;
    const start = encoder.encode(data).length;
    directory += tag + digits(encoder.encode(text).length, 4) + digits(start, 5);
    data += text;
  }
  const base = 24 + directory.length + 1;
  const length = base + encoder.encode(data).length + 1;
  const leader = `${digits(length, 5)}c${kind} a22${digits(base, 5)} a 4500`;
  return encoder.encode(leader + directory + FIELD_END + data + RECORD_END);
}

/** A record of a book by its title; a date and an author, so that two of them are told apart. */
export function marcBook(
  title: string,
  more: readonly TestField[] = [],
  options: MarcOptions = {},
): Uint8Array {
  return marcBytes(
    [
      ["008", "730914s1966    nyu           000 0 eng  "],
      ["100", { a: `Author of ${title}` }],
      ["245", { a: title }],
      ["260", { a: "New York", b: "Publisher", c: "1966" }],
      ...more,
    ],
    options,
  );
}

/** Puts a file into an item of the archive. */
export async function putItemFile(id: string, name: string, body: Uint8Array | string): Promise<void> {
  await env.ARCHIVE.put(`items/${id}/${name}`, body);
}

/** Puts the description of an item into the archive; `members` go over those of a scanned book. */
export async function putItem(id: string, members: Record<string, unknown> = {}): Promise<void> {
  const metadata = { identifier: id, mediatype: "texts", imagecount: "104", ...members };
  await putItemFile(id, "metadata.json", JSON.stringify({ metadata, files: [] }));
}

/** Bytes one after the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

function fieldText(content: TestField[1]): string {
  if (typeof content === "string") return content;
  return `  ${Object.entries(content)
    .map(([code, value]) => SUBFIELD + code + value)
    .join("")}`;
}

function digits(number: number, width: number): string {
  return String(number).padStart(width, "0");
}
