import type { ControlField, MarcField } from "./record.ts";

const TAG = "008";
const FULL_SIZE = 40;

/** The fields with one 008: of several the one that says most (Q308), in the place of the first. */
export function withOneFixedField(fields: readonly MarcField[]): readonly MarcField[] {
  const all = fields.filter((field): field is ControlField => field.tag === TAG && "value" in field);
  const [first] = all;
  if (first === undefined || all.length === 1) return fields;
  const best = all.slice(1).reduce((one, other) => {
    if (other.value.length !== FULL_SIZE) return one;
    const difference = spaces(other) - spaces(one);
    return difference < 0 || (difference === 0 && one === first) ? other : one;
  }, first);
  return fields.flatMap((field) => (field.tag !== TAG ? [field] : field === first ? [best] : []));
}

function spaces(field: ControlField): number {
  return field.value.split(" ").length - 1;
}
