import { notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { identityProvider } from "./identity-provider.ts";

/**
 * Where addresses and passwords are changed when this service does not keep them: a page of the identity provider.
 * Undefined when it does. Throws 404 when the provider has no such page.
 */
export function providerPage(
  context: RequestContext,
  page: "settings" | "forgotPassword",
): Reply | undefined {
  if (context.settings.IDENTITY_PROVIDER === "local") return undefined;
  const url = identityProvider(context).urls?.[page];
  if (url === undefined) throw notFound();
  return seeOther(url);
}
