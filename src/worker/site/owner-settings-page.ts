import type { Failure } from "../http/failure.ts";
import { type Logo, LANGUAGES, colorsOf, logoAddress } from "../http/pages/reader.ts";
import { SITE_LENGTHS, type StoredSite } from "../http/pages/site-settings.ts";
import type { Reply } from "../http/reply.ts";
import { adminPage } from "../ui/data-page.ts";
import { type InputField, errorSummary, form } from "../ui/form.ts";
import { LANGUAGE_NAMES } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { code, commas } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { reason, t } from "../ui/words.ts";
import { KIB } from "../../catalog/units.ts";
import { LOGO_BYTES, LOGO_SIDES } from "./owner-files.ts";
import { SHELF_NAMES } from "./home-shelves.ts";

const ACTION = "/admin/site";

export function ownerSettingsPage({ site, rev }: StoredSite, refusal?: Failure): Reply {
  const fileError = refusal?.reasons.find(({ field }) => field === "file");
  return adminPage({
    title: t("site.title"),
    parts: [
      fileError !== undefined && errorSummary([{ name: "file", message: reason(fileError.text) }]),
      form({
        action: ACTION,
        fields: fieldsOf({ site, rev }),
        submit: t("site.save"),
        refusal: fileError === undefined ? refusal : undefined,
      }),
      section(t("site.logo"), logoForms(site.logo, fileError && reason(fileError.text))),
    ],
  });
}

function logoForms(logo: Logo | null, error: Piece): Markup {
  const isWrong = error !== undefined;
  return markup`${
    logo !== null &&
    markup`<p><img src="${logoAddress(logo)}" alt="${t("site.logo")}" width="${logo.width}" height="${logo.height}" class="logo"></p>
<form method="post" action="${ACTION}"><input type="hidden" name="logo" value=""><button>${t("site.logo_remove")}</button></form>`
  }<form method="post" action="${ACTION}/logo" enctype="multipart/form-data"><div><label for="file">${t("site.logo_file")}</label>
<p class="hint" id="file-hint">${t("site.logo_hint", { kilobytes: LOGO_BYTES / KIB, pixels: LOGO_SIDES.max })}</p>${isWrong && markup`<p class="error" id="file-error">${error}</p>`}
<input type="file" id="file" name="file" required accept="image/png,image/webp,image/jpeg" aria-describedby="file-hint${isWrong && " file-error"}"${isWrong && markup` aria-invalid="true"`}></div>
<p><button>${t("site.logo_save")}</button></p></form>`;
}

function fieldsOf({ site, rev }: StoredSite): InputField[] {
  const colors = colorsOf(site);
  const texts = { type: "textarea", maxlength: SITE_LENGTHS.text, hint: t("site.text_hint") } as const;
  const languages = LANGUAGES.map((language): InputField => ({
    name: "languages",
    id: `languages-${language}`,
    type: "checkbox",
    value: language,
    checked: site.languages.includes(language),
    label: markup`<span lang="${language}">${LANGUAGE_NAMES[language]}</span>`,
  }));
  return [
    { name: "name", label: t("site.name"), value: site.name, required: true, maxlength: SITE_LENGTHS.name },
    {
      name: "sentence",
      label: t("site.sentence"),
      value: site.sentence,
      hint: t("site.sentence_hint"),
      maxlength: SITE_LENGTHS.sentence,
    },
    {
      name: "color",
      label: t("site.color"),
      value: site.color,
      hint: t("site.color_hint", { example: code("#175a45") }),
    },
    {
      name: "color_dark",
      label: t("site.color_dark"),
      value: site.color_dark,
      hint:
        site.color_dark === "" && colors !== undefined
          ? t("site.color_dark_now", { color: code(colors.dark) })
          : t("site.color_dark_hint"),
    },
    {
      name: "language",
      label: t("site.language"),
      value: site.language,
      hint: t("site.language_hint"),
      options: LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language], language] as const),
    },
    ...languages,
    { name: "contact", label: t("site.contact"), value: site.contact, hint: t("site.contact_hint") },
    { name: "imprint", label: t("site.imprint"), value: site.imprint, ...texts },
    { name: "privacy", label: t("site.privacy"), value: site.privacy, ...texts },
    { name: "terms", label: t("site.terms"), value: site.terms, ...texts },
    {
      name: "shelves",
      label: t("site.shelves"),
      type: "textarea",
      value: site.shelves.join("\n"),
      hint: t("site.shelves_hint", {
        names: commas(SHELF_NAMES.map(code)),
        subject: code("/subjects/fantasy"),
        list: code("/people/jane/lists/OL1L"),
      }),
    },
    { name: "rev", label: "", type: "hidden", value: String(rev) },
  ];
}
