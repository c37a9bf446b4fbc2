import definitions from "./type-definitions.json" with { type: "json" };

/** Declared property, against which values are checked when they are saved. */
export interface PropertyDefinition {
  readonly name: string;
  readonly expected_type: string;
  readonly unique: boolean;
}

/** Record type and its declared properties. Other properties are free. */
interface TypeDefinition {
  readonly name: string;
  readonly kind: "primitive" | "regular" | "embeddable";
  readonly properties: readonly PropertyDefinition[];
}

// TypeScript reads the kinds in the file as plain text; the test of the file checks them.
const TYPES = new Map(Object.entries(definitions as Readonly<Record<string, TypeDefinition>>));

const PROPERTIES = new Map(
  [...TYPES].map(([key, { properties }]) => [
    key,
    new Map(properties.map((property) => [property.name, property])),
  ]),
);

export function listTypeKeys(): string[] {
  return [...TYPES.keys()];
}

export function typeDefinitionOf(type: string): TypeDefinition | undefined {
  return TYPES.get(type);
}

/** Returns the declared property with a name. Returns undefined if the type is unknown or the property is free. */
export function findProperty(type: string, name: string): PropertyDefinition | undefined {
  return PROPERTIES.get(type)?.get(name);
}

/** Members controlled by the store or administrators. Forms never set them; merges ignore them. */
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
