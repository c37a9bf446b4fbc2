/** Text that is not the XML that is read here: not well-formed, too deep or too large, or with a document type. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

/** UTF-16 units of a document that is read as a whole. */
export const XML_LENGTH_MAX = 5 * 1024 * 1024;
/** Elements inside one another. */
export const XML_NESTING_MAX = 100;
/** Elements of a document. */
export const XML_ELEMENTS_MAX = 25_000;
/** Attributes of a document, declarations of namespaces among them. */
export const XML_ATTRIBUTES_MAX = 40_000;
/** Pieces of text of a document: comments, CDATA sections and elements cut it into pieces. */
export const XML_TEXTS_MAX = 200_000;
