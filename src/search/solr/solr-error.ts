/** Thrown for a request of the search listener that cannot be answered; becomes 400 with the message. */
export class SolrRequestError extends Error {}
