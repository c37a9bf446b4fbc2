import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import { findByName } from "../editing/find-by-name.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Pickable } from "../ui/picker.ts";

/** What somebody types in the form of a list to find a work, and what was found. */
export interface FoundWorks {
  readonly typed: string;
  readonly found: readonly Pickable[];
}

interface Picked {
  /** The form with the works that were picked. */
  readonly sent: CatalogRecord;
  /** What is to be picked before it is saved. */
  readonly works: FoundWorks | undefined;
}

/** Takes the works that were picked by their titles (`seeds_more`) into a form, and looks for one more (`seeds_text`). */
export async function pickedWorks(form: CatalogRecord, context: RequestContext): Promise<Picked> {
  const { seeds_text: text, seeds_more: more, find, ...rest } = form;
  const { seeds } = rest;
  // Programs send seeds in other forms, and pick nothing.
  if (typeof seeds !== "string" || typeof text !== "string") return { sent: form, works: undefined };
  const picked = stringsOf(more);
  const sent = { ...rest, seeds: [seeds.trimEnd(), ...picked].filter((one) => one !== "").join("\n") };
  const typed = text.trim();
  const isLookedFor = find === "seeds" || (typed !== "" && picked.length === 0);
  return {
    sent,
    works: isLookedFor ? { typed, found: await findByName("work", typed, context) } : undefined,
  };
}
