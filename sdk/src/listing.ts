/** One page of a list. */
export type Page<Item> = {
  object: 'list';
  url: string;
  /** Whether there are more behind this page. */
  has_more: boolean;
  data: Item[];
  /** Where a search has stopped before the page was full: the next page begins here. */
  searched_to?: string;
};

type Position = { starting_after?: string | undefined; ending_before?: string | undefined };

/**
 * A list. `await` gives one page of it; `for await` goes through all of its objects, and requests pages as they are needed. With
 * `ending_before` it goes from older to newer objects.
 */
export class Listing<Item extends { id: string }> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #request: (position: Position) => Promise<Page<Item>>;
  readonly #position: Position;
  #first: Promise<Page<Item>> | undefined;

  constructor(request: (position: Position) => Promise<Page<Item>>, position: Position = {}) {
    this.#request = request;
    this.#position = position;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited
  then<Kept = Page<Item>, Failed = never>(
    onPage?: ((page: Page<Item>) => Kept | PromiseLike<Kept>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.#firstPage().then(onPage, onError);
  }

  catch<Failed>(onError: (error: unknown) => Failed | PromiseLike<Failed>): Promise<Page<Item> | Failed> {
    return this.#firstPage().catch(onError);
  }

  /** All pages, from this one on. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const isBackward = this.#position.ending_before !== undefined;
    let page = await this.#firstPage();
    while (true) {
      yield page;
      const last = page.searched_to ?? page.data.at(isBackward ? 0 : -1)?.id;
      if (!page.has_more || last === undefined) return;
      page = await this.#request(isBackward ? { ending_before: last } : { starting_after: last });
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const isBackward = this.#position.ending_before !== undefined;
    for await (const { data } of this.pages()) yield* isBackward ? [...data].reverse() : data;
  }

  /** Requested once, however often it is awaited. */
  #firstPage(): Promise<Page<Item>> {
    this.#first ??= this.#request(this.#position);
    return this.#first;
  }
}
