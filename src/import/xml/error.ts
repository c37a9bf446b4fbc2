/** Text that is not the XML that is read here: not well-formed, too deep or too large, or with a document type. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "XmlError";
  }
}
