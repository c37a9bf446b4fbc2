import { FIELDS } from "../fields.ts";
import { PLAIN_FIELDS } from "../plain-fields.ts";

interface SchemaField {
  name: string;
  type: "string" | "text_general" | "pint" | "pfloat" | "boolean";
  indexed: boolean;
  stored: boolean;
  multiValued?: true;
}

const FLAGS = new Set(["has_fulltext", "public_scan_b"]);

const OF_WORKS = [...FIELDS].map(([name, field]): [string, SchemaField] => {
  const { holds = "", compared, hidden, code, words, namedBy } = field;
  const isList = holds === "texts" || holds === "numbers" || /_(?:facet|key)$/.test(name);
  const isNumber = holds.startsWith("number") || compared === "whole";
  const text = words === undefined && code !== undefined ? "string" : "text_general";
  const other = compared === "fraction" ? "pfloat" : text;
  return [
    name,
    {
      name,
      type: FLAGS.has(name) ? "boolean" : isNumber ? "pint" : other,
      indexed: namedBy !== undefined,
      stored: hidden === undefined && name !== "text",
      ...(isList && { multiValued: true }),
    },
  ];
});

const OF_OTHERS = Object.values(PLAIN_FIELDS).flatMap((fields) =>
  [...fields].map(([name, { column, words }]): [string, SchemaField] => {
    const type = column === "number" ? "pint" : words === undefined ? "string" : "text_general";
    return [name, { name, type, indexed: true, stored: true }];
  }),
);

const TYPE: SchemaField = { name: "type", type: "string", indexed: true, stored: true };

const SCHEMA_FIELDS: readonly SchemaField[] = [
  ...new Map([["type", TYPE], ...OF_OTHERS, ...OF_WORKS]).values(),
];

export const SCHEMA = {
  name: "carrel",
  version: 1.6,
  uniqueKey: "key",
  fieldTypes: ["string", "text_general", "pint", "pfloat", "boolean"].map((name) => ({ name })),
  fields: SCHEMA_FIELDS,
  dynamicFields: [{ name: "id_*", type: "string", indexed: true, stored: true, multiValued: true }],
  copyFields: [],
};
