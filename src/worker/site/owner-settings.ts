import { Buffer } from "node:buffer";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { putDocuments } from "../../db/service/store.ts";
import { ADMIN_FORM, doneSchema } from "../admin/admin-form.ts";
import { KIB } from "../../catalog/units.ts";
import { readImageHeader } from "../covers/check-image.ts";
import { UPLOAD_FORM_BYTES, readFormData } from "../covers/form-data.ts";
import { withRoomForBody } from "../covers/room.ts";
import { failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Logo, type SiteSettings, DEFAULT_SITE } from "../http/pages/reader.ts";
import {
  SITE_KEY,
  type StoredSite,
  readSite,
  siteSchema,
  siteSettings,
} from "../http/pages/site-settings.ts";
import { resource } from "../http/views.ts";
import { audit } from "../platform/audit.ts";
import { command } from "../ui/command.ts";
import { LOGO_BYTES, LOGO_FOLDER, LOGO_SIDES, LOGO_TYPES } from "./owner-files.ts";
import type { OwnerText } from "../ui/owner.ts";
import { ownerSettingsPage } from "./owner-settings-page.ts";
import { checkSite, mergeForm } from "./check-settings.ts";

/** Characters of the digest in the name of a logo. */
const LOGO_NAME_LENGTH = 16;

const storedSchema = siteSchema.extend({
  rev: z.int().describe("Revision of the settings, to detect conflicts; 0 if they were never changed"),
});

export const adminSite = resource({
  id: "adminSite",
  summary: "Get the settings of the site",
  tag: "administration",
  responses: { 200: { description: "Settings, as JSON or HTML", schema: storedSchema } },
  read: async (_input, context) => toAnswer(await readStored(context)),
  page: ({ rev, ...site }) => ownerSettingsPage({ site, rev }),
});

type TextMember = "name" | "sentence" | "color" | "color_dark" | "contact" | OwnerText;
/** Returns the schema of a text in a form: `checkSite` refuses invalid ones, so that the form can be shown again. */
const textOf = (name: TextMember) =>
  z
    .string()
    .optional()
    .describe(siteSchema.shape[name].description ?? "");
const changed = { 200: { description: "Saved settings", schema: doneSchema.extend(storedSchema.shape) } };

/** `POST /admin/site`: changes the settings that are sent (Q801); others stay. */
export const adminSiteSave = command({
  ...ADMIN_FORM,
  id: "adminSiteSave",
  summary: "Change the settings of the site",
  form: {
    name: textOf("name"),
    sentence: textOf("sentence"),
    color: textOf("color"),
    color_dark: textOf("color_dark"),
    language: siteSchema.shape.language.optional(),
    languages: siteSchema.shape.languages.optional(),
    contact: textOf("contact"),
    imprint: textOf("imprint"),
    privacy: textOf("privacy"),
    terms: textOf("terms"),
    shelves: siteSchema.shape.shelves.optional(),
    logo: z.literal("").optional().describe("Empty to remove the logo"),
    rev: integer(z.int().gte(0)).optional().describe("Revision returned by GET, to detect conflicts"),
  },
  responses: {
    ...changed,
    303: { description: "Redirect to the settings, for browsers" },
    400: { description: "Invalid setting, or a color that is hard to read; `nearest` is the nearest one" },
    409: { description: "Revision other than the current one" },
  },
  load: (_input, context) => readStored(context),
  submit: ({ form: { rev, ...form }, loaded }, context) =>
    saveSite(context, loaded, { site: checkSite(mergeForm(loaded.site, form)), rev: rev ?? loaded.rev }),
  done: { to: "/admin/site", notice: "admin.saved" },
  again: (refusal, { form: { rev, ...form }, loaded }) =>
    ownerSettingsPage({ site: mergeForm(loaded.site, form), rev: rev ?? loaded.rev }, refusal),
});

/** `POST /admin/site/logo`: replaces the logo. */
export const adminSiteLogo = command({
  ...ADMIN_FORM,
  id: "adminSiteLogo",
  summary: "Upload the logo of the site",
  body: {
    contentType: "multipart/form-data",
    description: `\`file\`: PNG, WebP or JPEG, at most ${LOGO_BYTES / KIB} KiB and ${LOGO_SIDES.max} pixels a side`,
  },
  responses: {
    ...changed,
    303: { description: "Redirect to the settings, for browsers" },
    400: { description: "Not an image, or of another type or size" },
  },
  load: (_input, context) => readStored(context),
  submit: ({ loaded }, context) =>
    withRoomForBody(context, async () => {
      const file = (await readFormData(context.request, LOGO_BYTES + UPLOAD_FORM_BYTES)).get("file");
      const bytes = new Uint8Array(file instanceof File ? await file.arrayBuffer() : []);
      const logo = await storeLogo(context, bytes);
      return saveSite(context, loaded, { site: { ...loaded.site, logo }, rev: loaded.rev });
    }),
  done: { to: "/admin/site", notice: "admin.saved" },
  again: (refusal, { loaded }) => ownerSettingsPage(loaded, refusal),
});

function readStored({ stores, settings }: RequestContext): Promise<StoredSite> {
  return readSite(stores.patrons.withSession("first-primary"), settings);
}

function toAnswer({ site, rev }: StoredSite): z.output<typeof storedSchema> {
  return { ...site, languages: [...site.languages], shelves: [...site.shelves], rev };
}

/** Stores the settings, in which those of the software are left out. Throws 409 if others have changed them. */
async function saveSite(
  context: RequestContext,
  before: StoredSite,
  { site, rev }: StoredSite,
): Promise<z.output<typeof storedSchema>> {
  const { stores, settings, now } = context;
  const defaults: SiteSettings = { ...DEFAULT_SITE, name: settings.SITE_NAME };
  const put = {
    key: SITE_KEY,
    type: null,
    document: JSON.stringify(differences(site, defaults)),
    // Nothing looks for settings by their values, and texts are long.
    leaves: [],
    updated: formatDatetime(now),
    instead: rev,
  };
  const result = await putDocuments(stores.patrons, [put]);
  const [saved] = "conflict" in result ? [] : result.revs;
  if (saved === undefined || saved === null) throw failure("conflict.changed");
  siteSettings.forget(context);
  const names = Object.keys(differences(site, before.site));
  await audit(context, { event: "setting-changed", subject: "site", details: { changed: names.join(", ") } });
  return toAnswer({ site, rev: saved });
}

function differences(site: SiteSettings, from: SiteSettings): Partial<SiteSettings> {
  const entries = Object.entries(site).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(from[name as keyof SiteSettings]),
  );
  return Object.fromEntries(entries);
}

/** Checks an image by its header, and stores it under a name that changes with its content. */
async function storeLogo({ stores }: RequestContext, bytes: Uint8Array<ArrayBuffer>): Promise<Logo> {
  const field = "file";
  if (bytes.byteLength > LOGO_BYTES)
    throw failure("bad_request.image_bytes", { most: LOGO_BYTES }, { field });
  const header = readImageHeader(bytes);
  const ending = Object.entries(LOGO_TYPES).find(([, type]) => type === header?.contentType)?.[0];
  if (header === undefined || ending === undefined) throw failure("bad_request.logo_type", {}, { field });
  const { width, height, contentType } = header;
  if (Math.max(width, height) > LOGO_SIDES.max || Math.min(width, height) < LOGO_SIDES.min)
    throw failure("bad_request.logo_size", { width, height, ...LOGO_SIDES }, { field });
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const file = `${digest.slice(0, LOGO_NAME_LENGTH)}.${ending}`;
  await stores.covers.put(LOGO_FOLDER + file, bytes, { httpMetadata: { contentType } });
  return { file, width, height };
}
