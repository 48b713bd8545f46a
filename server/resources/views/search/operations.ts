import { mayRead } from '../../../operations/caller.ts';
import { apiError } from '../../../operations/errors.ts';
import { type SearchHit, searchables } from '../../../operations/extension_points/search.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { scopeOfAny } from '../../../operations/scope.ts';
import { SearchInput, SearchOutput } from './schema.ts';
import { termsOf } from './terms.ts';

const shownMax = 20;

export function searchOperations(declared: Declared): AnyOperation[] {
  const retrieve = operation({
    name: 'search.query',
    summary: 'Find objects',
    description:
      'Finds objects by an id, an email, the last four digits of a payment method and an amount, the number of an invoice, or the reference of a processor. Matches are exact, but for upper and lower case in emails. Only kinds that the key may read are searched.',
    route: 'GET /search',
    scope: scopeOfAny,
    input: SearchInput,
    output: SearchOutput,
    check({ q }) {
      if (q.trim() === '') throw apiError('parameter_invalid', { param: 'q', reason: 'it must not be empty' });
    },
    async run(context, { q }) {
      const terms = termsOf(q);
      const searched = declared.extensionsOf(searchables).filter(({ scope }) => mayRead(context.caller, scope));
      const found = await Promise.all(searched.map((one) => one.find(context, terms, shownMax + 1)));
      const hits = newestFirst(found.flat());
      const data = hits.slice(0, shownMax);
      const scopes = searched.filter((_, at) => found[at]!.length > 0).map(({ scope }) => scope);
      return { result: { object: 'search_results', is_complete: hits.length <= shownMax, data }, scopes };
    },
  });
  return [retrieve];
}

/** Each object once, however it was found. */
function newestFirst(hits: readonly SearchHit[]): SearchHit[] {
  const different = [...new Map(hits.map((hit) => [hit.id, hit])).values()];
  return different.sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1));
}
