import { byAddress, spend } from "../../accounts/budgets.ts";
import type { RequestContext } from "../../http/operation.ts";

/** Images that one account may send to records in an hour, whatever becomes of them (Q492). */
export const IMAGES_OF_ONE = { limit: 300, seconds: 3600 };

/** Counts an image that somebody sends; one who has no account has the budget of his address. Throws a 429. */
export async function spendImage(context: RequestContext): Promise<void> {
  const { key } = await context.actor();
  const spenders =
    key === null
      ? byAddress(context, "images", IMAGES_OF_ONE)
      : [{ name: `images of ${key}`, budget: IMAGES_OF_ONE }];
  await spend(context, spenders);
}
