// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** An object that was found. */
export type SearchResult = {
  /** The kind of object. */
  object: string;
  /** The id of the object. */
  id: string;
  /** What identifies it for people: an amount, a name, a number. */
  title: string;
  /** More about it, such as whose it is and its status; absent if there is nothing to say. */
  subtitle?: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** What it was found by. Empty if only operators, such as `status:failed`, were searched for. */
  matched: Array<
    | 'id'
    | 'name'
    | 'email'
    | 'phone'
    | 'description'
    | 'product'
    | 'number'
    | 'amount'
    | 'card'
    | 'reference'
    | 'external_id'
    | 'code'
    | 'url'
    | 'customer'
  >;
};

/** Objects that match a search. */
export type SearchResults = {
  /** The kind of object. */
  object: 'search_results';
  /** What was found, kind by kind, newest first in each. */
  data: Array<SearchResult>;
  /** How many were found, by kind. It has every kind that was searched. */
  counts: Record<string, number>;
  /** False if a word is so frequent that not all objects with it were looked at: more may match than were counted. */
  is_complete: boolean;
};

export type SearchQueryParameters = {
  /**
   * Words, each of which begins a word of the object: of names, emails, phone numbers, descriptions, products,
   * references, external ids and codes of coupons; the last four digits of a card, an amount (`129`, `129.00`,
   * `€129`), the number of an invoice, or the beginning of an id. Further `status:failed`, `amount:>100`,
   * `amount:100..200`, `card:4242`, `customer:ada`, `created:2026-03`, and words in quotes that follow each other.
   */
  q: string;
  /** Only objects of this kind. Without it, of every kind that the key may read. */
  kind?:
    | 'balance_transaction'
    | 'checkout_session'
    | 'coupon'
    | 'customer'
    | 'dispute'
    | 'event'
    | 'invoice'
    | 'invoice_item'
    | 'payment'
    | 'payment_link'
    | 'payment_method'
    | 'price'
    | 'processor_account'
    | 'refund'
    | 'request_log'
    | 'setup'
    | 'subscription'
    | 'test_clock'
    | 'webhook_endpoint'
    | undefined;
  /** How many objects of each kind are shown at most, 1 to 100; 10 by default. */
  limit?: number | undefined;
};
