// Bodies of requests, good and bad.
import type { Operation, Schema } from "../lib/operations.ts";
import { BAD, BAD_JSON, VALUES } from "./values.ts";

export const FORM = "application/x-www-form-urlencoded";
const BOUNDARY = "transcript-7f3a";

/** A GIF of one pixel. */
export const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Encodes fields and a file as a browser does. */
export function multipart(fields: Record<string, string>, file?: [name: string, contents: Buffer]) {
  const head = (name: string, more = "") =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const parts = Object.entries(fields).map(([name, value]) => Buffer.from(`${head(name)}${value}\r\n`));
  if (file !== undefined) {
    const [name, contents] = file;
    parts.push(Buffer.from(head(name, '; filename="file.gif"')), contents, Buffer.from("\r\n"));
  }
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

/** Values of a parameter that are tried. */
const CHOICES_MAX = 8;

/** Lists values of each parameter with a label: all that a schema names, plausible ones, bad ones. */
export function pairsOf(schemas: Record<string, Schema>): [name: string, value: string, label: string][] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const choices = [...(schema.enum ?? schema.items?.enum ?? []).map(String), ...(VALUES[name] ?? ["1"])];
    const bad = /^(?:limit|offset|page|v|revision|startRecord|maximumRecords)$/.test(name)
      ? BAD.number
      : BAD.text;
    const values = [...new Set([...choices.slice(0, CHOICES_MAX), ...bad])];
    return values.map((value): [string, string, string] => [name, value, JSON.stringify(value.slice(0, 40))]);
  });
}

interface Body {
  label: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** Lists bodies of an operation, a good one first. */
export function bodiesOf(operation: Operation): Body[] {
  const { form, json, bodyType } = operation;
  if (json !== undefined) {
    const schema = resolve(json);
    const good = exampleOf("", schema, schema);
    return [
      jsonBody("good", good),
      ...changedObjects(schema, good),
      ...badBodies("application/json", ["", "{", "[]", '"x"', "{}"]),
    ];
  }
  if (Object.keys(form).length > 0) {
    const good = Object.fromEntries(
      Object.entries(form).map(([name, schema]) => [
        name,
        String(schema.enum?.[0] ?? VALUES[name]?.[0] ?? "1"),
      ]),
    );
    const without = Object.keys(good).map((name) => Object.assign({}, good, { [name]: undefined }));
    return [
      formBody("good", good),
      ...without.map((fields, index) => formBody(`without ${Object.keys(good)[index]}`, fields)),
      ...pairsOf(form).map(([name, value, label]) =>
        formBody(`${name} ${label}`, { ...good, [name]: value }),
      ),
      jsonBody("as JSON", good),
      ...badBodies(FORM, ["", "%", "a".repeat(100)]),
    ];
  }
  if (bodyType === "multipart/form-data") return multipartBodies();
  if (bodyType === undefined) return [{ label: "plain" }];
  const texts =
    bodyType === FORM
      ? ["title=x&name=x&key=/works/OL101W&_comment=c", "", "%"]
      : ['{"key":"/works/OL101W","type":{"key":"/type/work"},"title":"T"}', "", "{", "[]", "<x/>", "a\tb"];
  return badBodies(bodyType, texts);
}

/** Lists uploads of images and of books. */
function multipartBodies(): Body[] {
  const fields = { olid: "OL101M", author: "/people/patron", ip: "192.0.2.1", upload: "Submit" };
  return [
    upload("good", fields, ["file", PIXEL]),
    upload("data", fields, ["data", PIXEL]),
    upload("by address", {
      ...fields,
      source_url: "https://covers.openlibrary.org/b/id/1.jpg",
      url: "https://covers.openlibrary.org/b/id/1.jpg",
    }),
    upload("at a refused address", {
      ...fields,
      source_url: "http://127.0.0.1/x.jpg",
      url: "http://127.0.0.1/x.jpg",
    }),
    upload("leading back", { ...fields, success_url: "/works/OL101W", failure_url: "/works/OL102W" }, [
      "data",
      PIXEL,
    ]),
    upload("no image", { ...fields, failure_url: "/works/OL102W" }, ["data", Buffer.from("no image")]),
    upload("no image as a file", fields, ["file", Buffer.from("no image")]),
    upload("books", { batch_name: "A batch" }, [
      "batch_import",
      Buffer.from(
        '{"title":"B","source_records":["x:1"],"authors":[{"name":"A"}],"publishers":["P"],"publish_date":"2001"}\n',
      ),
    ]),
    upload("long", { ...fields, olid: "x".repeat(300) }, ["data", PIXEL]),
    upload("empty", {}),
    ...badBodies("multipart/form-data; boundary=x", ["", "--x"]),
    ...badBodies(FORM, ["url=https://covers.openlibrary.org/b/id/1.jpg"]),
  ];
}

function upload(label: string, fields: Record<string, string>, file?: [string, Buffer]): Body {
  const { type, body } = multipart(fields, file);
  return { label, headers: { "Content-Type": type }, body };
}

function jsonBody(label: string, value: unknown): Body {
  return { label, headers: { "Content-Type": "application/json" }, body: Buffer.from(JSON.stringify(value)) };
}

function formBody(label: string, fields: Record<string, string | undefined>): Body {
  const sent = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const text = new URLSearchParams(sent).toString().replaceAll("%24", "$");
  return { label, headers: { "Content-Type": FORM }, body: Buffer.from(text) };
}

function badBodies(type: string, texts: string[]): Body[] {
  return texts.map((text) => ({
    label: `body ${JSON.stringify(text.slice(0, 40))}`,
    headers: { "Content-Type": type },
    body: Buffer.from(text),
  }));
}

/** Follows the reference of a schema to its definition. */
function resolve(schema: Schema, root: Schema = schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  const found = name === undefined ? schema : { ...root.$defs?.[name], $defs: root.$defs };
  const [branch] = found.oneOf ?? found.anyOf ?? [];
  return branch === undefined ? found : resolve(branch, root);
}

/** Creates a value that a schema allows, with all members. */
function exampleOf(name: string, schema: Schema, root: Schema): unknown {
  const { type, enum: choices, const: constant, items, properties } = resolve(schema, root);
  if (constant !== undefined) return constant;
  if (choices !== undefined) return choices[0];
  const [value = "x"] = VALUES[name] ?? [];
  switch ([type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([member, one]) => [member, exampleOf(member, one, root)]),
      );
    case "array":
      return value === "x" ? [exampleOf(name, items ?? {}, root)] : value.split(",");
    case "integer":
    case "number":
      return Number(value) || 1;
    case "boolean":
      return true;
    default:
      return value;
  }
}

/** Lists variants of an object: without each member, and with bad values of it. */
function changedObjects({ properties = {} }: Schema, good: unknown): Body[] {
  const change = (name: string, label: string, value: unknown) =>
    jsonBody(`${label} ${name}`, Object.assign({}, good, { [name]: value }));
  const names = Object.keys(properties);
  const bad = names.flatMap((name) =>
    BAD_JSON.map((value) => change(name, `${JSON.stringify(value)} as`, value)),
  );
  return names.map((name) => change(name, "without", undefined)).concat(bad);
}
