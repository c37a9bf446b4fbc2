import { isEmail } from "../../catalog/accounts.ts";
import { WEB_ADDRESS } from "../../catalog/allowed-url.ts";
import { COLOR, CONTRAST_MIN, type ColorScheme, contrastOf, readableColor } from "../../catalog/color.ts";
import { failure } from "../http/failure.ts";
import { type SiteSettings, DEFAULT_SITE, LANGUAGES } from "../http/pages/reader.ts";
import { SITE_LENGTHS } from "../http/pages/site-settings.ts";
import { linesOf } from "../platform/spam-words.ts";
import { OWNER_TEXT_NAMES } from "../ui/owner.ts";
import { SHELF_NAMES, isShelfName } from "./home-shelves.ts";

/** Most shelves of the first page: each takes a query when it is not cached. */
const HOME_SHELVES_MAX = 6;

/** Settings in a form. */
type SiteForm = Partial<Omit<SiteSettings, "logo">> & { readonly logo?: "" | undefined };

/** Adds what was sent to the settings, in their form: without surrounding blanks, lists in order and each entry once. */
export function mergeForm(site: SiteSettings, { logo, ...form }: SiteForm): SiteSettings {
  const sent = Object.entries(form).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : value]],
  );
  const merged: SiteSettings = { ...site, ...Object.fromEntries(sent), ...(logo === "" && { logo: null }) };
  const shelves = linesOf(merged.shelves);
  return {
    ...merged,
    color: merged.color.toLowerCase(),
    color_dark: merged.color_dark.toLowerCase(),
    languages: LANGUAGES.filter((code) => code === merged.language || merged.languages.includes(code)),
    shelves: shelves.length === 0 ? DEFAULT_SITE.shelves : shelves,
  };
}

/** Returns the settings. Throws 400 for the first one that is invalid. */
export function checkSite(site: SiteSettings): SiteSettings {
  const { name, sentence, contact, shelves } = site;
  if (name === "" || name.length > SITE_LENGTHS.name)
    throw failure("bad_data.site_name", { most: SITE_LENGTHS.name }, { field: "name" });
  if (sentence.length > SITE_LENGTHS.sentence) throw tooLong("sentence", SITE_LENGTHS.sentence);
  checkColor(site.color, "light", "color");
  checkColor(site.color_dark, "dark", "color_dark");
  if (contact !== "" && !isEmail(contact) && !WEB_ADDRESS.test(contact))
    throw failure("bad_data.site_contact", {}, { field: "contact" });
  for (const field of ["contact", ...OWNER_TEXT_NAMES] as const)
    if (site[field].length > SITE_LENGTHS.text) throw tooLong(field, SITE_LENGTHS.text);
  if (shelves.length > HOME_SHELVES_MAX)
    throw failure("bad_data.too_many", { most: HOME_SHELVES_MAX }, { field: "shelves" });
  const unknown = shelves.find((shelf) => !isShelfName(shelf));
  if (unknown !== undefined) {
    const values = { value: unknown, names: SHELF_NAMES.join(", ") };
    throw failure("bad_data.site_shelf", values, { field: "shelves", members: { value: unknown } });
  }
  return site;
}

function tooLong(field: string, most: number) {
  return failure("bad_data.text_length", { most }, { field });
}

/** Throws 400 for a colour that is hard to read on pages of a scheme, with the nearest one that is not. */
function checkColor(value: string, scheme: ColorScheme, field: string): void {
  if (value === "") return;
  if (!COLOR.test(value)) throw failure("bad_data.color", { value }, { field, members: { value } });
  const contrast = contrastOf(value, scheme);
  if (contrast >= CONTRAST_MIN) return;
  const nearest = readableColor(value, scheme);
  const values = { value, ratio: Math.floor(contrast * 10) / 10, least: CONTRAST_MIN, nearest };
  throw failure("bad_data.color_contrast", values, { field, members: { value, nearest } });
}
