/** Maximum nesting depth of elements. */
export const XML_DEPTH_MAX = 100;

const NAME = String.raw`[\p{L}_:][\p{L}\p{N}_:.\-]*`;
const TEXT = String.raw`(?:[^<&]|&(?:${NAME}|#\d+|#x[\da-fA-F]+);)`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"(?:[^<&"]|&[^<&;"\s]+;)*"|'(?:[^<&']|&[^<&;'\s]+;)*')`;

const PIECES = {
  text: new RegExp(`${TEXT}+`, "uy"),
  comment: /<!--(?:[^-]|-[^-])*-->/y,
  instruction: new RegExp(String.raw`<\?${NAME}(?:\s(?:[^?]|\?(?!>))*)?\?>`, "uy"),
  cdata: /<!\[CDATA\[(?:[^\]]|\](?!\]>))*\]\]>/y,
  end: new RegExp(String.raw`</(?<name>${NAME})\s*>`, "uy"),
  start: new RegExp(String.raw`<(?<name>${NAME})(?:${ATTRIBUTE})*\s*(?<empty>/?)>`, "uy"),
} as const;
type PieceKind = keyof typeof PIECES;

interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  readonly name: string;
  readonly isEmpty: boolean;
}

/** Returns the error in an XML document (1.0, without document types). Returns undefined if it is well-formed. */
export function xmlError(document: string): string | undefined {
  const open: string[] = [];
  let hasRoot = false;
  let place = document.startsWith("\uFEFF") ? 1 : 0;
  while (place < document.length) {
    const piece = pieceAt(document, place);
    if (piece === undefined) return `syntax error at character ${place}`;
    // Comments, instructions and blanks may be outside of the root element.
    const isBlank = piece.kind === "text" && piece.text.trim() === "";
    const isNote = piece.kind === "comment" || piece.kind === "instruction";
    const isOutside = isBlank || isNote || (piece.kind === "start" && !hasRoot);
    if (open.length === 0 && !isOutside) return `junk at character ${place}`;
    if (piece.kind === "end" && open.pop() !== piece.name) return `mismatched tag at character ${place}`;
    if (piece.kind === "start") {
      hasRoot = true;
      if (!piece.isEmpty) open.push(piece.name);
      if (open.length > XML_DEPTH_MAX) return `more than ${XML_DEPTH_MAX} elements inside one another`;
    }
    place += piece.text.length;
  }
  if (open.length > 0) return "an element is not closed";
  return hasRoot ? undefined : "no element found";
}

function pieceAt(document: string, place: number): Piece | undefined {
  for (const [kind, expression] of Object.entries(PIECES)) {
    expression.lastIndex = place;
    const match = expression.exec(document);
    if (match === null) continue;
    const { name = "", empty = "" } = match.groups ?? {};
    // The entries are those of PIECES.
    return { kind: kind as PieceKind, text: match[0], name, isEmpty: empty !== "" };
  }
  return undefined;
}
