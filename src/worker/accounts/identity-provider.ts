import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Redirect, seeOther } from "../http/reply.ts";
import { type IdentityProvider, refuse } from "./identity.ts";
import { isLoginElsewhere, missingLoginSettings } from "./login-elsewhere.ts";
import { localProvider } from "./local-provider.ts";
import { oidcProvider } from "./oidc.ts";
import { xauthProvider } from "./xauth.ts";

export function identityProvider(
  context: Pick<RequestContext, "settings" | "stores" | "now">,
): IdentityProvider {
  const { settings, now } = context;
  const local = localProvider(context);
  const missing = missingLoginSettings(settings);
  if (missing !== "") throw failure("unavailable.settings", { settings: missing });
  if (isLoginElsewhere(settings)) {
    const { authenticateKeys } = local;
    return {
      authenticate: async () => refuse("password_login"),
      authenticateKeys,
      lookup: async () => null,
    };
  }
  switch (settings.IDENTITY_PROVIDER) {
    case "local":
    case "forward":
      return local;
    case "xauth": {
      const archive = settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
      return xauthProvider({
        random: randomNumber,
        url: settings.XAUTH_URL,
        keyUrl: settings.XAUTH_KEY_URL,
        access: settings.XAUTH_ACCESS,
        secret: settings.XAUTH_SECRET,
        urls: {
          settings: `${archive}/account/index.php?settings=1`,
          forgotPassword: `${archive}/account/forgot-password`,
        },
      });
    }
    case "oidc":
      return oidcProvider({
        issuer: settings.OIDC_ISSUER.replace(/\/$/, ""),
        clientId: settings.OIDC_CLIENT_ID,
        clientSecret: settings.OIDC_CLIENT_SECRET,
        authenticateKeys: local.authenticateKeys,
        now: () => now,
      });
  }
}

export function randomNumber(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number / 2 ** 32;
}

/**
 * Returns the redirect to a page of the identity provider if it keeps addresses and passwords, undefined if this service
 * does. Throws 403 if users log in elsewhere only, 404 if the provider has no such page.
 */
export function redirectToProvider(
  context: RequestContext,
  page: "settings" | "forgotPassword",
): Redirect | undefined {
  if (context.settings.IDENTITY_PROVIDER === "local") return undefined;
  if (isLoginElsewhere(context.settings)) throw failure("forbidden.account_elsewhere");
  const url = identityProvider(context).urls?.[page];
  if (url === undefined) throw notFound();
  return seeOther(url);
}
