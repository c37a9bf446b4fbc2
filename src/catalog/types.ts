import definitions from "./type-definitions.json" with { type: "json" };

/** A property that values are checked against when they are saved. */
export interface PropertyDefinition {
  readonly name: string;
  /** Key of the type of its value, or of each of its values. */
  readonly expected_type: string;
  /** False for properties that hold an array. */
  readonly unique: boolean;
}

/** A record type and its declared properties; others are free. */
interface TypeDefinition {
  readonly name: string;
  readonly kind: "primitive" | "regular" | "embeddable";
  readonly properties: readonly PropertyDefinition[];
}

// TypeScript reads the kinds in the file as plain text; the file's test holds them to the three words.
const TYPES = new Map(Object.entries(definitions as Readonly<Record<string, TypeDefinition>>));

const PROPERTIES = new Map(
  [...TYPES].map(([key, { properties }]) => [
    key,
    new Map(properties.map((property) => [property.name, property])),
  ]),
);

/** Keys of all types that are defined, such as `/type/work`. */
export function typeKeys(): string[] {
  return [...TYPES.keys()];
}

/** The definition of a type by its key. */
export function typeDefinition(type: string): TypeDefinition | undefined {
  return TYPES.get(type);
}

/** The declared property of that name; undefined when the type is unknown or the property free. */
export function declaredProperty(type: string, name: string): PropertyDefinition | undefined {
  return PROPERTIES.get(type)?.get(name);
}

/** Members of the store or administrators: forms never set them, merges neither take nor give them. */
export const OWN_MEMBERS: ReadonlySet<string> = new Set([
  "key",
  "type",
  "id",
  "revision",
  "latest_revision",
  "created",
  "last_modified",
  "permission",
  "child_permission",
]);
