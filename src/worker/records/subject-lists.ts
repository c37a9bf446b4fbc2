import { RECORD_VALUES_MAX, RECORD_VALUE_LENGTH } from "../../catalog/editing/members.ts";
import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import { subjectKeyOf } from "../../search/documents/subject-key.ts";
import type { SearchEngine } from "../../search/engine.ts";
import { subjectPageKeyOf } from "../../search/present/subjects.ts";
import { Failure } from "../http/failure.ts";
import { withSearchErrors } from "../search/guarded.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { chips } from "../ui/chip.ts";
import { type Markup, markup, shortText } from "../ui/markup.ts";
import { section } from "../ui/values.ts";
import { t } from "../ui/words.ts";

const SUBJECT_LISTS = [
  { member: "subjects", type: "subject", heading: "nav.subjects" },
  { member: "subject_people", type: "person", heading: "search.people" },
  { member: "subject_places", type: "place", heading: "search.places" },
  { member: "subject_times", type: "time", heading: "search.times" },
] as const;

/** Subjects of each kind that a page shows at once; the others are folded. */
const SUBJECTS_OPEN = 12;
/** Subjects of one page whose works are counted. */
const SUBJECTS_COUNTED_MAX = 400;
/** Prefix of a subject that other programs read: `series:Harry_Potter`, `award:hugo_award=2007`. */
const SUBJECT_PREFIX = /^(?:series|award|collectionID|nyt|person|place|time):\s*/i;

/** Numbers of works by key of the subject. */
export type SubjectCounts = ReadonlyMap<string, number>;

/**
 * Reads how many works of the catalog have the subjects of a record, if there are so many that the page folds some. One
 * round trip; none for shorter lists. Empty if the index does not answer: the page keeps the order of the record.
 */
export async function readSubjectCounts(
  record: CatalogRecord,
  engine: Promise<SearchEngine> | undefined,
): Promise<SubjectCounts> {
  const keys = SUBJECT_LISTS.flatMap(({ member, type }) => {
    const names = namesIn(record, member);
    return names.length > SUBJECTS_OPEN ? names.map((name) => subjectPageKeyOf(type, name)) : [];
  }).slice(0, SUBJECTS_COUNTED_MAX);
  if (keys.length === 0 || engine === undefined) return new Map();
  try {
    const documents = await withSearchErrors(async () => (await engine).getMany(keys), "");
    return new Map(documents.map(({ key, work_count: count }) => [String(key), Number(count)]));
  } catch (error) {
    if (error instanceof Failure) return new Map();
    throw error;
  }
}

function namesIn(record: CatalogRecord, member: string): string[] {
  return [...new Set(stringsOf(record[member]).filter((name) => name.trim() !== ""))];
}

/** Lists subjects of each kind: the most used ones, then the others folded. */
export function subjectLists(record: CatalogRecord, counts: SubjectCounts): Markup | undefined {
  const lists = SUBJECT_LISTS.flatMap(({ member, type, heading }) => {
    const usesOf = (name: string) => counts.get(subjectPageKeyOf(type, name)) ?? 0;
    const names = namesIn(record, member).toSorted((a, b) => usesOf(b) - usesOf(a));
    const items = names.slice(0, RECORD_VALUES_MAX).map((name) => {
      const isPrefixed = SUBJECT_PREFIX.test(name);
      const read = isPrefixed ? name.replace(SUBJECT_PREFIX, "").replaceAll("_", " ") : name;
      return {
        text: read.length > RECORD_VALUE_LENGTH ? shortText(read) : read,
        href: subjectKeyOf(name) === "" ? undefined : nameAddressOf(subjectPageKeyOf(type, name)),
      };
    });
    const folded = items.slice(SUBJECTS_OPEN);
    const list = chips(items.slice(0, SUBJECTS_OPEN));
    const more =
      folded.length > 0 &&
      markup`<details class="more"><summary>${t("list.more", { count: folded.length })}<span class="unseen"> ${t(heading)}</span></summary>${chips(folded)}</details>`;
    return list === undefined ? [] : [section(t(heading), [list, more])];
  });
  return lists.length === 0 ? undefined : markup`${lists}`;
}
