import type { Settings } from "../context.ts";

/** Settings that nobody is shown: secrets, and halves of pairs of keys. */
const SECRET = /SECRET|TOKEN|KEY|ACCESS/;

/** A setting as it may be shown. */
export type ShownSetting = string | number | boolean | string[];

/** The settings without secrets; of those is told whether they are set. */
export function shownSettings(settings: Settings): {
  readonly settings: Readonly<Record<string, ShownSetting>>;
  readonly secrets: Readonly<Record<string, boolean>>;
} {
  const shown: Record<string, ShownSetting> = {};
  const secrets: Record<string, boolean> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (SECRET.test(name)) secrets[name] = value !== undefined && value !== "";
    else if (value !== undefined) shown[name] = typeof value === "string" ? withoutUser(value) : value;
  }
  return { settings: shown, secrets };
}

/** Names and passwords, and what stands in the query, may be secret parts of an address. */
function withoutUser(text: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol);
  return isAddress ? `${url.origin}${url.pathname}` : text;
}
