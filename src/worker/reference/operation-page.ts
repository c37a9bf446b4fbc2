import { JSON_TYPE } from "../http/reply.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { table } from "../ui/table.ts";
import { t } from "../ui/words.ts";
import { shellQuote } from "./code-samples.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Nesting depth that is written out; deeper members become `…`. */
const DEPTH = 5;
const INDENT = "  ";

export function schemaMembers(value: unknown): Schema {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export class Shapes {
  readonly #named: Schema;

  constructor(named: unknown) {
    this.#named = schemaMembers(named);
  }

  #resolve(value: unknown): Schema {
    const schema = schemaMembers(value);
    const { $ref } = schema;
    return typeof $ref === "string" ? schemaMembers(this.#named[$ref.replace(/^.*\//, "")]) : schema;
  }

  text(value: unknown, depth = 0): string {
    const schema = this.#resolve(value);
    const { type, anyOf, oneOf, allOf, enum: values, items } = schema;
    if ("const" in schema) return JSON.stringify(schema["const"]);
    if (Array.isArray(values)) return values.map((member) => JSON.stringify(member)).join(" | ");
    const alternatives = anyOf ?? oneOf ?? allOf;
    if (Array.isArray(alternatives) && schema["properties"] === undefined) {
      const texts = new Set(alternatives.map((alternative) => this.text(alternative, depth)));
      return [...texts].join(allOf === undefined ? " | " : " & ");
    }
    if (Array.isArray(type)) return type.join(" | ");
    if (type === "array") {
      const text = this.text(items, depth);
      return text.includes("|") ? `(${text})[]` : `${text}[]`;
    }
    if (type === "object") return this.#object(schema, depth);
    return type === undefined ? "any" : String(type);
  }

  #object({ properties, required, additionalProperties }: Schema, depth: number): string {
    if (depth >= DEPTH) return "{ … }";
    const needed = new Set(Array.isArray(required) ? required : []);
    const inner = INDENT.repeat(depth + 1);
    const lines = Object.entries(schemaMembers(properties)).map(([name, value]) => {
      const { description } = schemaMembers(value);
      const note = typeof description === "string" ? `  // ${description}` : "";
      return `${inner}${name}${needed.has(name) ? "" : "?"}: ${this.text(value, depth + 1)}${note}`;
    });
    if (Object.keys(schemaMembers(additionalProperties)).length > 0) {
      lines.push(`${inner}[name]: ${this.text(additionalProperties, depth + 1)}`);
    }
    return lines.length === 0 ? "object" : `{\n${lines.join("\n")}\n${INDENT.repeat(depth)}}`;
  }
}

interface DocumentedOperation {
  method: string;
  path: string;
  operation: unknown;
  server: string;
  examples: Readonly<Record<string, string>>;
}

export function operationSection(documented: DocumentedOperation, shapes: Shapes): Markup {
  const { method, path, operation } = documented;
  const { operationId, summary, description, requestBody, responses } = schemaMembers(operation);
  const id = String(operationId);
  // The description is the summary and then the access.
  const access = String(description).slice(String(summary).length + 2);
  return markup`<section class="operation" id="${id}"><h2 lang="en">${String(summary)}</h2>
<p dir="ltr"><a href="#${id}"><code><b>${method}</b> ${path}</code></a> <span class="soft" lang="en">${access}</span></p>
${example(documented, shapes)}
${requestBody !== undefined && bodyOf(requestBody, shapes)}
<details><summary>${t("docs.answers")}</summary><dl class="facts" lang="en" dir="ltr">${Object.entries(
    schemaMembers(responses),
  ).map(([status, answer]) => answerOf(status, answer, shapes))}</dl></details></section>`;
}

type Parameter = ReturnType<typeof parametersOf>[number];

function parametersOf(operation: unknown) {
  const { parameters } = schemaMembers(operation);
  return (Array.isArray(parameters) ? parameters : []).map((parameter) => {
    const { name, in: place, required, description = "", schema }: Schema = schemaMembers(parameter);
    return {
      name: String(name),
      place: String(place),
      isRequired: required === true,
      description: String(description),
      schema,
    };
  });
}

function example(documented: DocumentedOperation, shapes: Shapes): Markup {
  const { method, operation } = documented;
  const id = String(schemaMembers(operation)["operationId"]);
  const parameters = parametersOf(operation);
  const isReading = method === "GET";
  const parameterTable =
    parameters.length > 0 &&
    table({
      caption: t("docs.parameters", { id }),
      columns: [t("docs.name"), t("docs.about"), isReading ? t("docs.value") : t("docs.type")],
      rows: parameters.map((parameter) => [
        isReading
          ? markup`<label for="${id}-${parameter.name}">${nameOf(parameter)}</label>`
          : nameOf(parameter),
        markup`<span lang="en" dir="ltr">${withCode(parameter.description)}</span>`,
        isReading
          ? inputOf(id, parameter, documented)
          : markup`<code dir="ltr">${shapes.text(parameter.schema)}</code>`,
      ]),
    });
  const command = markup`<pre dir="ltr"><code>${commandOf(documented, parameters)}</code></pre>`;
  if (!isReading) return markup`${parameterTable}${command}`;
  return markup`<form action="/docs/run" class="run"><input type="hidden" name="operation" value="${id}">${parameterTable}
<p><button>${t("docs.run")}<span class="unseen"> ${id}</span></button></p></form>${command}`;
}

export function withCode(text: string): Piece {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : markup`<code>${part}</code>`));
}

function nameOf({ name, isRequired }: Parameter): Markup {
  return markup`<code>${name}</code>${isRequired && markup` <span class="soft">${t("docs.required")}</span>`}`;
}

function inputOf(id: string, { name, isRequired, schema }: Parameter, { examples }: DocumentedOperation) {
  const { enum: values, default: usual } = schemaMembers(schema);
  const attributes = markup` id="${id}-${name}" name="_${name}"`;
  if (Array.isArray(values)) {
    const options = values.map((value) => markup`<option>${String(value)}</option>`);
    return markup`<select${attributes}>${!isRequired && markup`<option value=""></option>`}${options}</select>`;
  }
  const hint = usual === undefined || typeof usual === "object" ? "" : String(usual);
  const value = isRequired || name === "q" ? (examples[name] ?? "") : "";
  return markup`<input${attributes} value="${value}" placeholder="${hint}"${isRequired && markup` required`} dir="auto" autocomplete="off">`;
}

function commandOf(documented: DocumentedOperation, parameters: readonly Parameter[]) {
  const { method, path, operation, server, examples } = documented;
  const filled = path.replace(/\{(\w+)\}/g, (all, name: string) => examples[name] ?? all);
  const query = new URLSearchParams();
  for (const { name, place, isRequired } of parameters) {
    if (place === "query" && (isRequired || name === "q")) query.set(name, examples[name] ?? "…");
  }
  const address = `'${server}${filled}${query.size === 0 ? "" : `?${query}`}'`;
  const { content } = schemaMembers(schemaMembers(operation)["requestBody"]);
  const type = [JSON_TYPE, ...Object.keys(schemaMembers(content))].find(
    (name) => name in schemaMembers(content),
  );
  const parts = ["curl", ...(method === "GET" ? [] : ["-X", method]), address];
  const { example: body } = schemaMembers(schemaMembers(content)[type ?? ""]);
  if (type === "multipart/form-data") {
    const fields = Object.entries(schemaMembers(body)).map(([name, value]) => `${name}=${String(value)}`);
    parts.push(...fields.flatMap((field) => ["-F", shellQuote(field)]));
  } else if (type !== undefined) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    parts.push("-H", `'Content-Type: ${type}'`);
    parts.push(...(text === undefined ? ["--data-binary", "@FILE"] : ["-d", shellQuote(text)]));
  }
  return parts.join(" ");
}

function bodyOf(requestBody: unknown, shapes: Shapes): Markup {
  const { description, content } = schemaMembers(requestBody);
  const types = Object.entries(schemaMembers(content));
  const schema = schemaMembers(types[0]?.[1])["schema"];
  return markup`<details><summary>${t("docs.body")}</summary><p lang="en" dir="ltr">${typeof description === "string" && withCode(description)} <span class="soft">${types.map(([type]) => type).join(", ")}</span></p>
${shape(schema, shapes)}</details>`;
}

function answerOf(status: string, answer: unknown, shapes: Shapes): Markup {
  const { $ref, description, content } = schemaMembers(answer);
  const types = Object.entries(schemaMembers(content));
  const schema = types
    .map(([, media]) => schemaMembers(media)["schema"])
    .find((candidate) => candidate !== undefined);
  const text: Piece =
    $ref === undefined
      ? withCode(String(description))
      : String($ref)
          .replace(/^.*\//, "")
          .replace(/\B[A-Z]/g, " $&");
  return markup`<dt>${status}</dt><dd>${text}${types.length > 0 && markup` <span class="soft">${types.map(([type]) => type).join(", ")}</span>`}${Number(status) < 400 && shape(schema, shapes)}</dd>`;
}

/** Renders the type of a body; undefined for plain text. */
function shape(schema: unknown, shapes: Shapes): Markup | undefined {
  const text = schema === undefined ? "string" : shapes.text(schema);
  return text === "string" ? undefined : markup`<pre dir="ltr"><code>${text}</code></pre>`;
}
