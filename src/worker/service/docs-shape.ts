type Schema = Readonly<Record<string, unknown>>;

/** How deep shapes are written; what lies deeper is `…`. */
const DEPTH = 5;
const INDENT = "  ";

/** The members of something that comes out of JSON; none of what is no object. */
export function membersOf(value: unknown): Schema {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Reads schemas; `named` are those that have a name, by it. */
export class Shapes {
  readonly #named: Schema;

  constructor(named: unknown) {
    this.#named = membersOf(named);
  }

  #resolved(value: unknown): Schema {
    const schema = membersOf(value);
    const { $ref } = schema;
    return typeof $ref === "string" ? membersOf(this.#named[$ref.replace(/^.*\//, "")]) : schema;
  }

  /** What a schema allows, as TypeScript writes it; what is said of a member stands behind it. */
  text(value: unknown, depth = 0): string {
    const schema = this.#resolved(value);
    const { type, anyOf, oneOf, allOf, enum: values, items } = schema;
    if ("const" in schema) return JSON.stringify(schema["const"]);
    if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(" | ");
    const several = anyOf ?? oneOf ?? allOf;
    if (Array.isArray(several) && schema["properties"] === undefined) {
      const texts = new Set(several.map((one) => this.text(one, depth)));
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
    const lines = Object.entries(membersOf(properties)).map(([name, value]) => {
      const { description } = membersOf(value);
      const note = typeof description === "string" ? `  // ${description}` : "";
      return `${inner}${name}${needed.has(name) ? "" : "?"}: ${this.text(value, depth + 1)}${note}`;
    });
    if (Object.keys(membersOf(additionalProperties)).length > 0) {
      lines.push(`${inner}[name]: ${this.text(additionalProperties, depth + 1)}`);
    }
    return lines.length === 0 ? "object" : `{\n${lines.join("\n")}\n${INDENT.repeat(depth)}}`;
  }

  /** Something small that a schema allows: of an object the members that it must have. */
  sample(value: unknown): unknown {
    const schema = this.#resolved(value);
    const { type, anyOf, enum: values, properties, required, items, default: usual } = schema;
    if (usual !== undefined) return usual;
    if ("const" in schema) return schema["const"];
    if (Array.isArray(values)) return values[0];
    if (Array.isArray(anyOf)) return this.sample(anyOf[0]);
    if (type === "array") return [this.sample(items)];
    if (type === "integer" || type === "number") return 1;
    if (type === "boolean") return true;
    if (type !== "object") return "…";
    const members = membersOf(properties);
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    return Object.fromEntries(needed.map((name) => [name, this.sample(members[String(name)])]));
  }
}
