import { JSON_TYPE } from "../http/reply.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { table } from "../ui/table.ts";
import { say } from "../ui/words.ts";
import { type Shapes, membersOf } from "./docs-shape.ts";

/** An operation of the interface's description, and where it stands. */
interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: unknown;
  readonly server: string;
  /** Values that fit this catalog, by the names of parameters. */
  readonly examples: Readonly<Record<string, string>>;
}

/** One parameter, as it is described. */
interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: unknown;
}

/** All that is said of an operation, with an example that runs. */
export function operationSection(what: Described, shapes: Shapes): Markup {
  const { method, path, operation } = what;
  const { operationId, summary, description, requestBody, responses } = membersOf(operation);
  const id = String(operationId);
  // What the summary does not say: who may.
  const access = String(description).slice(String(summary).length + 2);
  return markup`<section class="operation" id="${id}"><h2 lang="en">${String(summary)}</h2>
<p dir="ltr"><a href="#${id}"><code><b>${method}</b> ${path}</code></a> <span class="soft" lang="en">${access}</span></p>
${example(what, shapes)}
${requestBody !== undefined && bodyOf(requestBody, shapes)}
<details><summary>${say("docs.answers")}</summary><dl class="facts" lang="en" dir="ltr">${Object.entries(
    membersOf(responses),
  ).map(([status, answer]) => answerOf(status, answer, shapes))}</dl></details></section>`;
}

function parametersOf(operation: unknown): Parameter[] {
  const { parameters } = membersOf(operation);
  return (Array.isArray(parameters) ? parameters : []).map((one) => {
    const { name, in: place, required, description = "", schema } = membersOf(one);
    return {
      name: String(name),
      place: String(place),
      isRequired: required === true,
      description: String(description),
      schema,
    };
  });
}

/** Parameters; what reads has a field for each, and can be run. */
function example(what: Described, shapes: Shapes): Markup {
  const { method, operation } = what;
  const id = String(membersOf(operation)["operationId"]);
  const parameters = parametersOf(operation);
  const isReading = method === "GET";
  const shown =
    parameters.length > 0 &&
    table({
      caption: say("docs.parameters", { id }),
      columns: [say("docs.name"), say("docs.about"), isReading ? say("docs.value") : say("docs.type")],
      rows: parameters.map((one) => [
        isReading ? markup`<label for="${id}-${one.name}">${named(one)}</label>` : named(one),
        markup`<span lang="en" dir="ltr">${withCode(one.description)}</span>`,
        isReading ? inputOf(id, one, what) : typeOf(one, shapes),
      ]),
    });
  const command = markup`<pre dir="ltr"><code>${commandOf(what, parameters, shapes)}</code></pre>`;
  if (!isReading) return markup`${shown}${command}`;
  return markup`<form action="/docs/run" class="run"><input type="hidden" name="operation" value="${id}">${shown}
<p><button>${say("docs.run")}<span class="unseen"> ${id}</span></button></p></form>${command}`;
}

/** Descriptions have code between backticks. */
function withCode(text: string): Piece {
  return text.split("`").map((part, at) => (at % 2 === 0 ? part : markup`<code>${part}</code>`));
}

function named({ name, isRequired }: Parameter): Markup {
  return markup`<code>${name}</code>${isRequired && markup` <span class="soft">${say("docs.required")}</span>`}`;
}

function typeOf({ schema }: Parameter, shapes: Shapes): Markup {
  return markup`<code dir="ltr">${shapes.text(schema)}</code>`;
}

function inputOf(id: string, { name, isRequired, schema }: Parameter, { examples }: Described): Markup {
  const { enum: values, default: usual } = membersOf(schema);
  const attributes = markup` id="${id}-${name}" name="_${name}"`;
  if (Array.isArray(values)) {
    const options = values.map((value) => markup`<option>${String(value)}</option>`);
    return markup`<select${attributes}>${!isRequired && markup`<option value=""></option>`}${options}</select>`;
  }
  const hint = usual === undefined || typeof usual === "object" ? "" : String(usual);
  const value = isRequired || name === "q" ? (examples[name] ?? "") : "";
  return markup`<input${attributes} value="${value}" placeholder="${hint}"${isRequired && markup` required`} dir="auto" autocomplete="off">`;
}

/** The same for a command line. */
function commandOf(what: Described, parameters: readonly Parameter[], shapes: Shapes): string {
  const { method, path, operation, server, examples } = what;
  const filled = path.replace(/\{(\w+)\}/g, (all, name: string) => examples[name] ?? all);
  const query = new URLSearchParams();
  for (const { name, place, isRequired } of parameters) {
    if (place === "query" && (isRequired || name === "q")) query.set(name, examples[name] ?? "…");
  }
  const address = `'${server}${filled}${query.size === 0 ? "" : `?${query}`}'`;
  const { content } = membersOf(membersOf(operation)["requestBody"]);
  const type = [JSON_TYPE, ...Object.keys(membersOf(content))].find((one) => one in membersOf(content));
  const parts = ["curl", ...(method === "GET" ? [] : ["-X", method]), address];
  if (type === JSON_TYPE) {
    const { schema } = membersOf(membersOf(content)[type]);
    const body = JSON.stringify(shapes.sample(schema));
    parts.push("-H", `'Content-Type: ${type}'`, "-d", `'${body}'`);
  } else if (type !== undefined) {
    parts.push("-H", `'Content-Type: ${type}'`, "--data-binary", "@FILE");
  }
  return parts.join(" ");
}

function bodyOf(requestBody: unknown, shapes: Shapes): Markup {
  const { description, content } = membersOf(requestBody);
  const types = Object.entries(membersOf(content));
  const schema = membersOf(types[0]?.[1])["schema"];
  return markup`<details><summary>${say("docs.body")}</summary><p lang="en" dir="ltr">${typeof description === "string" && withCode(description)} <span class="soft">${types.map(([type]) => type).join(", ")}</span></p>
${shape(schema, shapes)}</details>`;
}

function answerOf(status: string, answer: unknown, shapes: Shapes): Markup {
  const { $ref, description, content } = membersOf(answer);
  const types = Object.entries(membersOf(content));
  const schema = types.map(([, media]) => membersOf(media)["schema"]).find((one) => one !== undefined);
  const text: Piece =
    $ref === undefined
      ? withCode(String(description))
      : String($ref)
          .replace(/^.*\//, "")
          .replace(/\B[A-Z]/g, " $&");
  return markup`<dt>${status}</dt><dd>${text}${types.length > 0 && markup` <span class="soft">${types.map(([type]) => type).join(", ")}</span>`}${Number(status) < 400 && shape(schema, shapes)}</dd>`;
}

/** Plain texts have no shape to be shown. */
function shape(schema: unknown, shapes: Shapes): Markup | undefined {
  const text = schema === undefined ? "string" : shapes.text(schema);
  return text === "string" ? undefined : markup`<pre dir="ltr"><code>${text}</code></pre>`;
}
