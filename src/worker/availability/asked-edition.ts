import type { EditionBundle } from "../../catalog/lookup/shared.ts";
import type { RequestContext } from "../context.ts";
import { editionOfAddress } from "../lending/asked-edition.ts";

/** The edition with the digits that stand in an address, and how lending has its scan. Throws a 404 when there is none. */
export function askedEdition(context: RequestContext, digits: string): Promise<EditionBundle> {
  return editionOfAddress(context, `${context.settings.RECORD_PREFIX}${digits}M`, { withLoans: true });
}
