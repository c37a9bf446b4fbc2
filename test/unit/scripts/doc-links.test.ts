import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/lib/paths.ts";

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const documents = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "bench/README.md",
  ...(await readdir(path.join(ROOT, "docs"), { recursive: true }))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Places in a document that links lead to. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

function problem(document: string, link: string): string | undefined {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? document : path.posix.join(path.posix.dirname(document), file);
  if (!existsSync(path.join(ROOT, target))) return `${link}: no such file`;
  if (anchor === undefined || anchorsOf(read(target)).includes(anchor)) return undefined;
  return `${link}: no such heading`;
}

const FILE_OF_SRC = /`((?:worker|durable|db|export|import|search|catalog)\/[\w/-]+\.ts)`/g;
/** Parts of words as British English spells them. */
const BRITISH =
  /\w*(?:avio|colo|favo|hono|neighbo)ur\w*|\w*(?:author|capital|initial|normal|optim|organ|recogn|serial|summar)is(?:e|ing|ation)\w*|\w*(?:cent|fib|met)re(?:s|d)?\b|\w*(?:analys|catalogu)e[ds]\b|(?:lic|def)ence\w*|mis?spelt|(?:cancell|labell|modell|travell)ed|grey\b/gi;

describe("documents", () => {
  it.each(documents)("%s has American spelling", (document) => {
    // The name of an error is part of the interface.
    const words = read(document).replaceAll("unrecognised-import-format", "").match(BRITISH) ?? [];
    // The plural of "analysis" looks like the British verb.
    expect(words.filter((word) => word !== "analyses")).toEqual([]);
  });

  it.each(documents)("%s names existing files", (document) => {
    const named = [...read(document).matchAll(/`((?:src|scripts|bench|test|migrations|docs)\/[\w./-]+)`/g)];
    expect(named.filter(([, file = ""]) => !existsSync(path.join(ROOT, file))).map(String)).toEqual([]);
    // The life of a request names files below src/.
    const below = [...read(document).matchAll(FILE_OF_SRC)];
    expect(below.filter(([, file = ""]) => !existsSync(path.join(ROOT, "src", file))).map(String)).toEqual(
      [],
    );
  });

  it.each(documents)("%s has valid links", (document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const local = links.filter((link) => !/^https?:/.test(link));
    expect(local.flatMap((link) => problem(document, link) ?? [])).toEqual([]);
  });
});
