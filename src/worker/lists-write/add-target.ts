import type { ListType } from "../../catalog/lists/list-form.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { RequestContext } from "../context.ts";
import type { FormFailure } from "../forms/refused-form.ts";
import { addressOf } from "../pages/address.ts";
import { listFormPage } from "../pages/list-forms/list-form-page.ts";
import type { Reply } from "../reply.ts";
import { listDenied } from "./list-errors.ts";
import { mayWriteLists, requireOwner } from "./rights.ts";

/** Where lists and series are made by forms. */
export type AddFolder = "people" | "lists" | "series";

/** What a form for something new makes. */
export interface AddTarget {
  readonly type: ListType;
  /** `/people/<username>`; null for the community. */
  readonly owner: string | null;
  /** Folder of what is made, such as `/people/joe/lists`. */
  readonly folder: string;
}

/** What is made at an address, for who may make it; 404 without such a patron, 403 for others. */
export async function addTarget(
  context: RequestContext,
  folder: AddFolder,
  username: string,
): Promise<AddTarget> {
  if (folder === "people") {
    const owner = await requireOwner(context, username);
    return { type: "/type/list", owner, folder: `${owner}/lists` };
  }
  if (!mayWriteLists(await context.actor(), undefined)) throw listDenied();
  const type = folder === "series" ? "/type/series" : "/type/list";
  return { type, owner: null, folder: `/${folder}` };
}

/** The form for something new, or again with what was sent. */
export function addFormPage(
  { type, folder }: AddTarget,
  { shown, failures = [] }: { readonly shown: CatalogRecord; readonly failures?: readonly FormFailure[] },
): Reply {
  const isSeries = type === "/type/series";
  const base = addressOf(folder);
  return listFormPage({
    type,
    title: isSeries ? "Add a series" : "Make a list",
    action: `${base}/add`,
    back: isSeries ? { href: "/", text: "To the start" } : { href: base, text: "Back to the lists" },
    revision: undefined,
    shown,
    failures,
  });
}
