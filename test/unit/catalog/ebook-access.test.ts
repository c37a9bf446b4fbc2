import { describe, expect, it } from "vitest";
import {
  type EbookAccess,
  type ItemMetadata,
  OPEN_PROVIDERS,
  ebookAccessOf,
  itemFromSubjects,
  previewWordOf,
} from "../../../src/catalog/ebook-access.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";

const item = (collections: string[], accessRestricted = false): ItemMetadata => ({
  collections,
  accessRestricted,
});
const access = (edition: CatalogRecord, known?: ItemMetadata, workSubjects: string[] = []): EbookAccess =>
  ebookAccessOf({ edition, item: known, workSubjects });

describe("ebookAccessOf", () => {
  it("is no_ebook without a provider, whatever the work's subjects", () => {
    expect(access({})).toBe("no_ebook");
    expect(access({ ocaid: "" }, undefined, ["Accessible book"])).toBe("no_ebook");
    expect(access({ identifiers: { goodreads: ["1"], amazon: ["B"] } })).toBe("no_ebook");
    expect(access({}, item(["inlibrary"]))).toBe("no_ebook");
  });

  it.each<[string, ItemMetadata | undefined, EbookAccess]>([
    ["no metadata", undefined, "unclassified"],
    ["lending", item(["inlibrary"]), "borrowable"],
    ["lending before print-disabled", item(["printdisabled", "inlibrary"]), "borrowable"],
    ["lending before restricted", item(["inlibrary"], true), "borrowable"],
    ["print-disabled", item(["texts", "printdisabled"]), "printdisabled"],
    ["print-disabled before restricted", item(["printdisabled"], true), "printdisabled"],
    ["restricted", item(["texts"], true), "unclassified"],
    ["no collections", item([]), "unclassified"],
    ["open", item(["texts", "americana"]), "public"],
  ])("a scan with %s", (_what, known, expected) => expect(access({ ocaid: "a" }, known)).toBe(expected));

  it.each<[string, EbookAccess]>([
    ["open-access", "public"],
    ["read", "public"],
    ["listen", "public"],
    ["borrow", "borrowable"],
    ["sample", "printdisabled"],
    ["preview", "printdisabled"],
    ["buy", "no_ebook"],
    ["subscribe", "no_ebook"],
    ["rent", "unclassified"],
    ["", "public"],
  ])("a direct offer with access %j", (word, expected) => {
    expect(access({ providers: [{ url: "https://example.org/b", access: word }] })).toBe(expected);
  });

  it.each(OPEN_PROVIDERS)("a book at %s is public before its scan", (provider) => {
    expect(access({ identifiers: { [provider]: ["1"] }, ocaid: "a" }, item(["inlibrary"]))).toBe("public");
    expect(access({ identifiers: { [provider]: [] }, ocaid: "a" }, item(["inlibrary"]))).toBe("borrowable");
    expect(access({ identifiers: { [provider]: [""] } })).toBe("no_ebook");
  });

  it("a direct offer precedes all others", () => {
    const others = { identifiers: { librivox: ["1"] }, ocaid: "a" };
    const buy = { url: "https://example.org/b", access: "buy" };
    expect(access({ ...others, providers: [buy, { url: "u", access: "read" }] })).toBe("no_ebook");
    expect(access({ ...others, providers: [{ access: "read" }, null, buy] })).toBe("no_ebook");
    expect(access({ ...others, providers: [] })).toBe("public");
    expect(access({ ...others, providers: [{ access: "buy" }] })).toBe("public");
  });

  it.each<[string[], EbookAccess]>([
    [["In library"], "borrowable"],
    [["Lending library"], "borrowable"],
    [["Protected DAISY", "In library"], "borrowable"],
    [["Protected DAISY"], "printdisabled"],
    [["Accessible book", "Protected DAISY"], "printdisabled"],
    [["Accessible book"], "public"],
    [["Fiction", "in library"], "unclassified"],
    [[], "unclassified"],
  ])("derives an unknown item from the subjects %j", (workSubjects, expected) => {
    const edition = { ocaid: "a" };
    expect(ebookAccessOf({ edition, item: undefined, workSubjects })).toBe(expected);
    expect(ebookAccessOf({ edition, item: undefined, workSubjects, deriveItem: true })).toBe(expected);
    expect(ebookAccessOf({ edition, item: undefined, workSubjects, deriveItem: false })).toBe("unclassified");
    expect(ebookAccessOf({ edition, item: item(["texts"]), workSubjects })).toBe("public");
  });
});

describe("itemFromSubjects", () => {
  it("is undefined when the subjects do not tell", () => {
    expect(itemFromSubjects(["Fiction"])).toBeUndefined();
    expect(itemFromSubjects(["Accessible book"])).toEqual(item(["texts"]));
    expect(itemFromSubjects(["In library"])).toEqual(item(["inlibrary", "printdisabled"]));
  });
});

describe("previewWordOf", () => {
  it.each([
    ["no_ebook", "noview"],
    ["unclassified", "noview"],
    ["printdisabled", "restricted"],
    ["borrowable", "borrow"],
    ["public", "full"],
  ] as const)("%s: %s with a scan, noview without", (level, word) => {
    expect(previewWordOf({ ocaid: "a" }, level)).toBe(word);
    expect(previewWordOf({}, level)).toBe("noview");
    expect(previewWordOf({ ocaid: "" }, level)).toBe("noview");
  });
});
