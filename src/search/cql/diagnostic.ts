/** SRU diagnostics: http://www.loc.gov/standards/sru/diagnostics/diagnosticsList.html */
const MESSAGES = {
  2: "System temporarily unavailable",
  4: "Unsupported operation",
  5: "Unsupported version",
  6: "Unsupported parameter value",
  7: "Mandatory parameter not supplied",
  8: "Unsupported parameter",
  10: "Query syntax error",
  12: "Too many characters in query",
  13: "Invalid or unsupported use of parentheses",
  14: "Invalid or unsupported use of quotes",
  15: "Unsupported context set",
  16: "Unsupported index",
  19: "Unsupported relation",
  20: "Unsupported relation modifier",
  21: "Unsupported combination of relation modifiers",
  22: "Unsupported combination of relation and index",
  26: "Non special character escaped in term",
  27: "Empty term unsupported",
  28: "Masking character not supported",
  31: "Anchoring character not supported",
  33: "Combination of proximity/adjacency and masking characters not supported",
  36: "Term in invalid format for index or relation",
  38: "Too many boolean operators in query",
  39: "Proximity not supported",
  40: "Unsupported proximity relation",
  41: "Unsupported proximity distance",
  42: "Unsupported proximity unit",
  46: "Unsupported boolean modifier",
  47: "Cannot process query; reason unknown",
  50: "Result sets not supported",
  61: "First record position out of range",
  65: "Record does not exist",
  66: "Unknown schema for retrieval",
  70: "Record too large to send",
  71: "Unsupported record packing",
  72: "XPath retrieval unsupported",
  82: "Unsupported sort sequence",
  91: "Unsupported case",
  92: "Unsupported missing value action",
  110: "Stylesheets not supported",
  120: "Response position out of range",
} as const;

type DiagnosticNumber = keyof typeof MESSAGES;

export class Diagnostic extends Error {
  readonly number: DiagnosticNumber;
  readonly details: string;

  constructor(number: DiagnosticNumber, details = "") {
    super(MESSAGES[number]);
    this.number = number;
    this.details = details;
  }
}
