import { describe, expect, it } from "vitest";
import { BYTE_FIELDS_MAX, readByteFields } from "../../../src/worker/covers/form-data.ts";
import { bodyChunks } from "../../../src/worker/http/bytes.ts";

const encoder = new TextEncoder();

/** The fields of a body that comes in pieces of this many bytes, as lists of bytes. */
async function fieldsOf(body: Uint8Array, size: number, limit = 1_000_000) {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < body.length; at += size) controller.enqueue(body.slice(at, at + size));
      controller.close();
    },
  });
  const fields = await readByteFields(stream, limit);
  return [...fields].map(([name, bytes]) => [name, [...bytes]]);
}
const ascii = (text: string): number[] => [...encoder.encode(text)];

describe("readByteFields", () => {
  const body = encoder.encode(
    "olid=OL1M&data=%00%ff%zz%4&a%3Db=1=2+%2B&empty=&alone&caf%C3%A9=%E2%82%AC&olid=x",
  );
  const expected = [
    ["olid", ascii("x")],
    ["data", [0, 255, ...ascii("%zz%4")]],
    ["a=b", ascii("1=2 +")],
    ["empty", []],
    ["alone", []],
    ["café", ascii("€")],
  ];

  it.each([1, 2, 3, 5, 7, 1000])("reads fields from pieces of %i bytes", async (size) => {
    expect(await fieldsOf(body, size)).toEqual(expected);
  });

  it("equals URLSearchParams for text values", async () => {
    const texts = { "a b": "ü&=%+", c: "\u{1f600}\n", d: "%41%" };
    const sent = encoder.encode(new URLSearchParams(texts).toString());
    const read = await fieldsOf(sent, 4);
    expect(Object.fromEntries(read)).toEqual(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, ascii(text)])),
    );
  });

  it("returns every byte", async () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const escaped = [...all].map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`).join("");
    expect(await fieldsOf(encoder.encode(`data=${escaped}`), 10)).toEqual([["data", [...all]]]);
  });

  it("keeps an incomplete escape at the end", async () => {
    expect(await fieldsOf(encoder.encode("a=1%"), 3)).toEqual([["a", ascii("1%")]]);
    expect(await fieldsOf(encoder.encode("a=1%2"), 4)).toEqual([["a", ascii("1%2")]]);
  });

  it("has limits", async () => {
    await expect(fieldsOf(body, 10, body.length - 1)).rejects.toMatchObject({ status: 413 });
    expect(await fieldsOf(body, 10, body.length)).toEqual(expected);
    const many = Array.from({ length: BYTE_FIELDS_MAX + 5 }, (_, index) => `f${index}=1`).join("&");
    expect((await fieldsOf(encoder.encode(many), 100)).length).toBe(BYTE_FIELDS_MAX);
    expect(await readByteFields(bodyChunks(null), 10)).toEqual(new Map([["", new Uint8Array()]]));
  });
});
