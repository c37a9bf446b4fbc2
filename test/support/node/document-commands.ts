import { spawnSync } from "node:child_process";

/** A command of a document. Blocks of type `console` have prompts and output, blocks of type `sh` commands only. */
export interface DocumentCommand {
  readonly line: number;
  readonly text: string;
  /** Output as the document prints it; undefined in blocks without output. */
  readonly output?: string;
  /** Lines that are typed into the program. */
  readonly input: string;
}

const BLOCK = /^( *)```(console|sh)\n(.*?)^ *```$/gms;
/** Prompt of yaz-client. */
const INNER_PROMPT = "Z> ";

export function commandsOf(document: string): DocumentCommand[] {
  return [...document.matchAll(BLOCK)].flatMap(({ 1: indent = "", 2: type, 3: block = "", index }) => {
    const lines = block.split("\n").map((line) => line.slice(indent.length));
    const first = document.slice(0, index).split("\n").length + 1;
    return type === "sh" ? scriptOf(lines, first) : sessionOf(lines, first);
  });
}

function scriptOf(lines: readonly string[], first: number): DocumentCommand[] {
  const commands: DocumentCommand[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = first + at;
    let text = lines[at] ?? "";
    while (!isComplete(text) && at + 1 < lines.length) text += `\n${lines[(at += 1)] ?? ""}`;
    if (text.replace(/^#.*/, "").trim() !== "") commands.push({ line, text, input: "" });
  }
  return commands;
}

function sessionOf(lines: readonly string[], first: number): DocumentCommand[] {
  const commands: DocumentCommand[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = first + at;
    let text = (lines[at] ?? "").replace(/^\$ /, "");
    while (!isComplete(text) && at + 1 < lines.length) text += `\n${lines[(at += 1)] ?? ""}`;
    const rest: string[] = [];
    while (at + 1 < lines.length && lines[at + 1]?.startsWith("$ ") === false)
      rest.push(lines[(at += 1)] ?? "");
    const typed = rest.filter((answer) => answer.startsWith(INNER_PROMPT));
    const printed = rest.filter((answer) => !answer.startsWith(INNER_PROMPT));
    if (text.trim() === "") continue;
    commands.push({
      line,
      text,
      // The documents leave out what a program prints beside its prompts.
      output: typed.length > 0 ? `…${printed.join("…")}` : printed.join("\n"),
      input: typed.map((answer) => `${answer.slice(INNER_PROMPT.length)}\n`).join(""),
    });
  }
  return commands;
}

/** Returns false for a command that continues on the next line: an open quotation, a pipe, a here-document. */
function isComplete(text: string): boolean {
  if (text.endsWith("\\")) return false;
  const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
  return status === 0 && stderr === "";
}

/** Returns true if an output is as documented: `…` stands for any text, and lines may be broken anywhere. */
export function isAsDocumented(output: string, documented: string): boolean {
  const parts = documented.replaceAll(/\s/g, "").split("…");
  let at = 0;
  const text = output.replaceAll(/\s/g, "");
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isLast && part !== "" ? text.lastIndexOf(part) : text.indexOf(part, at);
    if (found < at || (index === 0 && found !== 0)) return false;
    at = found + part.length;
  }
  return at === text.length || parts.at(-1) === "";
}
