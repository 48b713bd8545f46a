import { describe, expect, test } from 'vitest';
import type { PageRequest } from '../../../../base/page.ts';
import { inOneTurn } from '../../../../base/slices.ts';
import { catalog, describedBy } from '../../../../catalog.ts';
import { documentationPages } from '../../documentation.ts';
import { type SearchAnswer, type SearchEntry, SearchIndex } from './search_index.ts';

const pages = new Map(documentationPages(describedBy(catalog), 'dev').map((page) => [page.path, page]));

async function render(path: string, words: string): Promise<string> {
  const query = new URLSearchParams({ q: words }).toString();
  return (await pages.get(path)!.render({ query, headers: {} } as PageRequest)).body;
}

const ask = async (words: string): Promise<SearchAnswer> => JSON.parse(await render('/docs/search.json', words));

describe('the search of the documentation', () => {
  /** What has to be among the first three results, in the words of the trade. */
  test.each([
    ['3ds', '/docs/guides/payments#authentication'],
    ['3ds', '/docs/guides/3-d-secure'],
    ['3-D Secure', '/docs/guides/payments#authentication'],
    ['SCA', '/docs/guides/payments#authentication'],
    ['retry', '/docs/guides/idempotency'],
    ['retry', '/docs/guides/billing-rules#when-a-charge-fails'],
    ['retry', '/docs/guides/webhooks#what-counts-as-delivered'],
    ['dunning', '/docs/guides/billing-rules#when-a-charge-fails'],
    ['dunning', '/docs/guides/failed-renewal'],
    ['saved card', '/docs/guides/save-a-card'],
    ['upgrade plan', '/docs/guides/upgrade-a-plan'],
    ['tax', '/docs/guides/not-there#tax'],
    ['failed renewal', '/docs/guides/failed-renewal'],
    ['free trial', '/docs/guides/start-a-trial'],
    ['PaymentIntent', '/docs/guides/if-you-know-stripe'],
    ['webhook signature', '/docs/guides/webhooks#verify'],
    ['off_session', '/docs/guides/payments#without-the-cardholder'],
    ['off-session', '/docs/guides/testing#payments-without-the-cardholder'],
    ['MIT', '/docs/guides/testing#payments-without-the-cardholder'],
    ['refund', '/docs/guides/refunds'],
    ['refund', '/docs/refunds'],
    ['proration', '/docs/guides/billing-rules#proration'],
    ['chargeback', '/docs/guides/disputes'],
    ['test card', '/docs/guides/testing'],
    ['card_declined', '/docs/errors#card_declined'],
    ['payment.succeeded', '/docs/event_types#payment.succeeded'],
    ['POST /v1/payments/{id}/capture', '/docs/payments#payments.capture'],
    ['billing_cycle_anchor', '/docs/subscriptions#subscriptions.create'],
    ['idempotncy', '/docs/guides/idempotency'],
    ['how do I refund a payment', '/docs/guides/refunds'],
  ])('finds for %j among the first three: %s', async (words, path) => {
    const { results } = await ask(words);
    expect(results.slice(0, 3).map((result) => result.path)).toContain(path);
  });

  test('says what is not there', async () => {
    const [first] = (await ask('tax')).results;
    expect(first).toMatchObject({ kind: 'Guide · What is not there', excerpt: expect.stringContaining('no tax') });
  });

  test('begins while somebody types', async () => {
    const { results } = await ask('idemp');
    expect(results[0]!.path).toBe('/docs/guides/idempotency');
  });

  test('is made by its first use, while other requests are answered', async () => {
    let [turns, isMade] = [0, false];
    const count = () => {
      turns += 1;
      if (!isMade) setImmediate(count);
    };
    setImmediate(count);
    const [search] = documentationPages(describedBy(catalog), 'dev').filter(({ path }) => path === '/docs/search.json');
    await search!.render({ query: 'q=refund', headers: {} } as PageRequest);
    isMade = true;
    // More than 100 ms of work, in slices of 5 ms.
    expect(turns).toBeGreaterThan(10);
  });

  test('shows where the words occur', async () => {
    const { results } = await ask('lock_timeout');
    expect(results.map(({ excerpt }) => excerpt).join(' ')).toMatch(/lock_timeout/);
    for (const { excerpt } of results) expect(excerpt.length).toBeLessThan(170);
  });

  test('has an answer to everything', async () => {
    expect(await ask('')).toEqual({ results: [], total: 0 });
    expect(await ask('xyzzyxyzzy')).toEqual({ results: [], total: 0 });
    expect((await ask('the of')).total).toBeGreaterThanOrEqual(0);
    expect((await ask('%00 🙂 <b> '.repeat(500))).results.length).toBeLessThan(11);
  });

  test('is a page that needs no script, with what was asked as text', async () => {
    const html = await render('/docs/find', 'refund <script>');
    expect(html).toContain('<q>refund &lt;script&gt;</q>');
    expect(html).not.toContain('<script>');
    expect(await render('/docs/find', 'refund')).toContain('<li><a href="/docs/guides/refunds">Refunds</a>');
    expect(await render('/docs/find', 'xyzzyxyzzy')).toContain('Nothing was found');
    expect(await render('/docs/find', '')).toContain('Type what you look for');
    const [, form] = /<form action="([^"]+)">[\s\S]*? name="q"/.exec(html) ?? [];
    expect(form).toBe('/docs/find');
  });
});

describe('the index', () => {
  const entry = (title: string, more: Partial<SearchEntry> = {}): SearchEntry => ({
    ...{ title, path: `/${title}`, kind: 'Guide', weight: 1, words: [], names: '', text: '' },
    ...more,
  });
  const indexOf = (entries: SearchEntry[]) => inOneTurn(SearchIndex.build(entries));
  const titles = (index: SearchIndex, query: string) => index.find(query, 10).results.map(({ title }) => title);

  test('prefers a synonym and a title to a name, and a name to the text', () => {
    const index = indexOf([
      entry('a', { text: 'about a hold of money' }),
      entry('b', { names: 'hold' }),
      entry('hold of money'),
      entry('c', { words: ['hold'] }),
    ]);
    expect(titles(index, 'hold')).toEqual(['c', 'hold of money', 'b', 'a']);
  });

  test('wants all words; only if no entry has all of them, most of them', () => {
    const index = indexOf([entry('red apple'), entry('red pear'), entry('green pear')]);
    expect(titles(index, 'red pear')).toEqual(['red pear']);
    expect(titles(index, 'blue green pear')).toEqual(['green pear']);
  });

  test('takes plurals, accents, underscores and the beginnings of words for the same', () => {
    const index = indexOf([entry('retry policies'), entry('café'), entry('off_session')]);
    expect(titles(index, 'retries')).toEqual(['retry policies']);
    expect(titles(index, 'policy')).toEqual(['retry policies']);
    expect(titles(index, 'cafe')).toEqual(['café']);
    expect(titles(index, 'off session')).toEqual(['off_session']);
    expect(titles(index, 'ret pol')).toEqual(['retry policies']);
  });

  test('takes a word that nobody writes for the one that is meant', () => {
    const index = indexOf([entry('subscription'), entry('refund')]);
    expect(titles(index, 'subscripton')).toEqual(['subscription']);
    expect(titles(index, 'rfeund')).toEqual(['refund']);
  });
});
