import { OWN_MEMBERS } from "../../catalog/types.ts";
import type { Json } from "../../catalog/record.ts";
import { type ImportRecord, hasSourceFrom, isSuspectDate, publicationYear, without } from "../record.ts";
import { ImportFailure } from "../failure.ts";
import { type LoadTime, checkRecord, isPromise } from "./checks.ts";
import { withNormalAuthors } from "./normalize-authors.ts";
import { withNormalIdentifiers, withSubtitle, withoutEntities } from "./normalize-texts.ts";
import { withCheckedTypes } from "./normalize-types.ts";

/** Sources that use a placeholder for an unknown date. */
const CARELESS: ReadonlySet<string> = new Set(["amazon", "bwb", "promise"]);
const UNKNOWN_PUBLISHER = "????";

/** Checks, cleans and normalises a record for matching and storing. Returns a copy. Throws ImportFailure. */
export function preparedRecord(record: ImportRecord, time: LoadTime): ImportRecord {
  if (!isPromise(record)) checkRecord(record, time);
  requireMembers(record);
  const typed = withCheckedTypes(ownMembersLeftOut(record));
  const year = publicationYear(typed["publish_date"]) ?? 0;
  const decoded = withoutEntities(year > time.year ? without(typed, "publish_date") : typed);
  const normal = withoutUnknownPublisher(withNormalAuthors(withNormalIdentifiers(withSubtitle(decoded))));
  const isDateless = isSuspectDate(normal["publish_date"]) && hasSourceFrom(normal, CARELESS);
  return isDateless ? without(normal, "publish_date") : normal;
}

/** Throws ImportFailure `missing-required-field` if title or sources are absent or empty. */
export function requireMembers(record: ImportRecord): void {
  const missing = ["title", "source_records"].filter((name) => isEmpty(record[name]));
  if (missing.length > 0) {
    throw new ImportFailure("missing-required-field", `missing required field(s): ${missing.join(", ")}`);
  }
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) && value.length === 0;
}

/** Removes the members of the envelope, which a record must not set (Q321), and nulls. */
function ownMembersLeftOut(record: ImportRecord): ImportRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => !OWN_MEMBERS.has(name) && value !== null),
  );
}

function withoutUnknownPublisher(record: ImportRecord): ImportRecord {
  const { publishers } = record;
  const isUnknown =
    Array.isArray(publishers) && publishers.length === 1 && publishers[0] === UNKNOWN_PUBLISHER;
  return isUnknown ? without(record, "publishers") : record;
}
