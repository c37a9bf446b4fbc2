import type { DataField } from "../record.ts";
import { first, lowerValues, values } from "./access.ts";
import type { MarcFields } from "./fields.ts";
import { type Members, filled, put } from "./members.ts";
import { distinct } from "./text.ts";

const BLANK_LINE = "\n\n";
const UNNAMED_LINK = "External source";

/** Notes, description, location and links (import.md 13.7). */
export function putDescriptionMembers(members: Members, fields: MarcFields): void {
  put(members, "notes", filled(byTag(fields.of("notes")).map(note)).join(BLANK_LINE));
  put(
    members,
    "description",
    filled(fields.of("520").flatMap((field) => values(field, "a"))).join(BLANK_LINE),
  );
  put(members, "location", distinct(filled(fields.of("852").flatMap((field) => values(field, "a")))));
  put(members, "links", fields.of("856").flatMap(links));
}

function byTag(fields: readonly DataField[]): DataField[] {
  return fields.toSorted((one, other) => Number(one.tag) - Number(other.tag));
}

function note(field: DataField): string {
  return lowerValues(field).join(" ").trim();
}

function links(field: DataField): Members[] {
  const urls = filled(values(field, "u"));
  if (urls.length === 0) return [];
  const named = first(field, "y") ?? first(field, "3") ?? first(field, "z") ?? first(field, "x");
  const title = named?.trim() || UNNAMED_LINK;
  return urls.map((url) => ({ url, title }));
}
