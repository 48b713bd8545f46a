// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** An object that was found. */
export type SearchResult = {
  /** The id of the object. */
  id: string;
  /** The kind of object. */
  object: string;
  /** What identifies it for people: an amount, a name, a number. */
  title: string;
  /** More about it, such as its status; absent if there is nothing to say. */
  subtitle?: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

/** Objects that match a search. */
export type SearchResults = {
  /** The kind of object. */
  object: 'search_results';
  /** False if more than the 20 that are shown were found. */
  is_complete: boolean;
  /** What was found, newest first, up to 20. */
  data: Array<SearchResult>;
};

export type SearchQueryParameters = {
  /**
   * An id, the email of a customer, the last four digits of a payment method and an amount (`4242 2000`), the
   * number of an invoice, or the reference of a processor.
   */
  q: string;
};
