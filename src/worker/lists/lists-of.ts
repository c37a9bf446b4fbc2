import { REDIRECT_HOPS_MAX } from "../../catalog/record.ts";
import { type ListsFound, type ListsOf, type ListsWindow, readLists } from "../../db/lists/read-lists.ts";
import { subjectKey } from "../../search/documents/subject-key.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { notFound } from "../errors.ts";

/** A page of lists, and the key of what they are of, redirects followed. */
export interface ListsAbout extends ListsFound {
  readonly self: string;
}

/**
 * Lists of a patron (`/people/<u>`) or lists with a record; 404 where there is none or it was deleted. What a record
 * redirects to is asked in its place.
 */
export async function listsAbout(
  key: string,
  window: ListsWindow,
  context: RequestContext,
): Promise<ListsAbout> {
  let self = key;
  for (let hop = 0; hop <= REDIRECT_HOPS_MAX; hop += 1) {
    const found = await readLists(catalogReader(context), whose(self, context), window);
    const { about } = found;
    // Q247: nobody's lists are not an empty page.
    if (about === undefined || about.type === "/type/delete") throw notFound();
    if (about.type !== "/type/redirect") return { ...found, self };
    if (about.location === null) throw notFound();
    self = about.location;
  }
  throw notFound();
}

function whose(key: string, { settings }: RequestContext): ListsOf {
  return key.startsWith("/people/")
    ? { kind: "owner", key, prefix: settings.RECORD_PREFIX }
    : { kind: "record", key };
}

/** Lists that hold a subject, by the path of its page: `love`, `place:france`. There is no subject that is not. */
export async function listsAboutSubject(
  path: string,
  window: ListsWindow,
  context: RequestContext,
): Promise<ListsAbout> {
  const found = await readLists(
    catalogReader(context),
    { kind: "subject", seeds: subjectSeeds(path) },
    window,
  );
  return { ...found, self: `/subjects/${path}` };
}

const PREFIXED = /^(?:person|place|time|subject):/;
const SEED_BREAKS = /[, _]+/g;

/** The seeds that may stand for a subject: its name as given, and by both rules for names in keys (Q248). */
function subjectSeeds(path: string): string[] {
  const prefix = PREFIXED.exec(path)?.[0] ?? "subject:";
  const name = path.replace(PREFIXED, "");
  const names = new Set([name, subjectKey(name), name.toLowerCase().replace(SEED_BREAKS, "_")]);
  return [...names].map((one) => prefix + one);
}
