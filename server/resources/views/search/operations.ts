import { apiError } from '../../../operations/errors.ts';
import { searchables } from '../../../operations/extension_points/search.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { scopeOfAny } from '../../../operations/scope.ts';
import { findResults } from './find.ts';
import { SearchOutput, searchInput, shownUsually } from './schema.ts';

export function searchOperations(declared: Declared): AnyOperation[] {
  const kinds = declared.extensionsOf(searchables);
  const query = operation({
    name: 'search.query',
    summary: 'Find objects',
    description:
      'Finds objects of every kind by words: each begins a word of the object, in any order, in upper or lower case, with or without accents. Metadata is not searched. A change is found within two seconds; ids, and references of processors in full, immediately. Only kinds that the key may read are searched.',
    route: 'GET /search',
    scope: scopeOfAny,
    input: searchInput(kinds.map(({ object }) => object).sort()),
    output: SearchOutput,
    check({ q }) {
      if (q.trim() === '') throw apiError('parameter_invalid', { param: 'q', reason: 'it must not be empty' });
    },
    async run(context, { q, kind, limit = shownUsually }) {
      const found = await findResults(context, kinds, { q, kind, limit });
      const result = {
        object: 'search_results',
        data: found.flatMap(({ results }) => results),
        counts: Object.fromEntries(found.map(({ kind: { object }, count }) => [object, count])),
        is_complete: found.every(({ isComplete }) => isComplete),
      };
      const scopes = found.filter(({ results }) => results.length > 0).map((one) => one.kind.scope);
      return { result, scopes: [...new Set(scopes)] };
    },
  });
  return [query];
}
