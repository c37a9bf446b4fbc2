/** Namespace declarations of every document (records.md 2.4). */
export const NAMESPACES: Readonly<Record<string, string>> = {
  "xmlns:rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  "xmlns:rdfs": "http://www.w3.org/2000/01/rdf-schema#",
  "xmlns:owl": "http://www.w3.org/2002/07/owl#",
  "xmlns:dcterms": "http://purl.org/dc/terms/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:dcam": "http://purl.org/dc/dcam/",
  "xmlns:bibo": "http://purl.org/ontology/bibo/",
  "xmlns:rdvocab": "http://RDVocab.info/elements/",
  "xmlns:rdrel": "http://RDVocab.info/RDARelationshipsWEMI/",
  "xmlns:rdg2": "http://rdvocab.info/ElementsGr2/",
  "xmlns:frbr": "http://purl.org/vocab/frbr/core#",
  "xmlns:foaf": "http://xmlns.com/foaf/0.1/",
  "xmlns:bio": "http://purl.org/vocab/bio/0.1/",
  "xmlns:ov": "http://open.vocab.org/terms/",
};

/** Encoding schemes of classification numbers. */
export const DDC_SCHEME = "http://purl.org/dc/terms/DDC";
export const LCC_SCHEME = "http://purl.org/dc/terms/LCC";

/** Datatype of times. */
export const DATETIME_TYPE = "http://www.w3.org/2001/XMLSchema#dateTime";
