import type { DataField } from "../record.ts";
import { contents, first, values } from "./access.ts";
import { authorDates } from "./author-dates.ts";
import type { MarcFields } from "./fields.ts";
import { type Members, put } from "./members.ts";
import { ROLE_LABELS } from "./roles.ts";
import { joinedName, joinedNameWithDot, trimmer, withoutOldCatalog } from "./text.ts";

const DATE_ENDS = trimmer(",[]");
/** Where authority files are named in `$0`. */
const AUTHORITIES: ReadonlyMap<string, RegExp> = new Map([
  ["lc_naf", /id\.loc\.gov\/authorities\/names\/(n\w*\d)/],
  ["isni", /\(isni\)(\d{16})/],
  ["gnd", /\(DE-101c\)(\d+)/],
]);

/** Authors: persons, then organisations, then events. Neither 711 nor 720 is read (Q317). */
export function authors(fields: MarcFields): Members[] {
  const persons = new Map<string, Members>();
  for (const field of fields.of("persons")) {
    const one = person(fields, field);
    const name = String(one?.["name"]);
    if (one && !persons.has(name)) persons.set(name, one);
  }
  const others = [
    ...fields.of("organisations").map((field) => organisation(fields, field)),
    ...fields.of("111").map(event),
  ];
  return [...persons.values(), ...others.filter((one) => one !== undefined)];
}

function person(fields: MarcFields, field: DataField): Members | undefined {
  const surname = contents(field, "a");
  const titles = contents(field, "c");
  const name = joinedName(values(field, "abc"));
  if (name === "" || (surname.length === 0 && titles.length === 0)) return undefined;
  const members: Members = { name, entity_type: "person" };
  const dates = contents(field, "d").map((date) => DATE_ENDS(withoutOldCatalog(date)));
  Object.assign(members, authorDates(dates));
  const personal = joinedName(surname);
  if (personal !== name) put(members, "personal_name", personal);
  put(members, "numeration", joinedName(contents(field, "b")));
  put(members, "title", joinedName(titles));
  put(members, "role", role(field));
  put(members, "remote_ids", remoteIds(field));
  const linked = linkedField(fields, field);
  return withName(members, linked && joinedName(contents(linked, "a")));
}

/** What the person did: `$4` goes before `$e`. An unknown text stays. */
function role(field: DataField): string | undefined {
  const codes = contents(field, "4");
  const text = joinedNameWithDot(codes.length > 0 ? codes : contents(field, "e"));
  return ROLE_LABELS.get(text) ?? text;
}

function remoteIds(field: DataField): Record<string, string> {
  const found: Record<string, string> = {};
  for (const value of contents(field, "0")) {
    for (const [source, pattern] of AUTHORITIES) {
      const id = pattern.exec(value)?.[1];
      if (id !== undefined) found[source] ??= id;
    }
  }
  return found;
}

function organisation(fields: MarcFields, field: DataField): Members | undefined {
  const name = joinedName(values(field, "ab"));
  if (name === "") return undefined;
  const linked = linkedField(fields, field);
  return withName({ name, entity_type: "org" }, linked && joinedName(values(linked, "ab")));
}

function event(field: DataField): Members | undefined {
  const name = joinedName(values(field, "acdn"));
  return name === "" ? undefined : { name, entity_type: "event" };
}

function linkedField(fields: MarcFields, field: DataField): DataField | undefined {
  const link = first(field, "6");
  return link === undefined ? undefined : fields.linked(field.tag, link);
}

/** The name in its own script becomes the name (Q314), the romanised one an alternate name. */
function withName(members: Members, original: string | undefined): Members {
  return original ? { ...members, name: original, alternate_names: [String(members["name"])] } : members;
}
