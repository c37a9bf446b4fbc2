/** Error in an XML document: not well-formed, too deep or too large, or with a document type. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

/** Maximum length of a document read as a whole, in UTF-16 units. */
export const XML_LENGTH_MAX = 5 * 1024 * 1024;
/** Maximum nesting depth of elements. */
export const XML_NESTING_MAX = 100;
/** Maximum number of elements per document. */
export const XML_ELEMENTS_MAX = 25_000;
/** Maximum number of attributes per document, including namespace declarations. */
export const XML_ATTRIBUTES_MAX = 40_000;
/** Maximum number of text pieces per document. Comments, CDATA sections and elements split text into pieces. */
export const XML_TEXTS_MAX = 200_000;
