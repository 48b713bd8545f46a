import { limitOf } from './lists.ts';
import { invalid } from './refusal.ts';
import type { FakeCall } from './route.ts';
import type { FakeIntent } from './shapes.ts';

const clause = /^\s*(?:metadata\[(["'])(.+?)\1\]|(status|currency|customer)):(["'])(.*?)\4\s*$/;

/** Search by `metadata['key']:'value'`, status, currency and customer, joined by AND. What was made a moment ago is not found yet. */
export function search({ world, params }: FakeCall, path: string): object {
  params.only('query', 'limit', 'page', 'expand');
  const clauses = params.needed('query').split(/ AND /i).map(clauseOf);
  const visible = world.now() - world.settings.searchLagMs;
  const found = world
    .all<FakeIntent>('payment_intent')
    .filter((intent) => intent.created * 1_000 <= visible && clauses.every((holds) => holds(intent)))
    .reverse();
  const start = params.has('page') ? Number(params.needed('page')) : 0;
  const end = start + limitOf(params);
  const has_more = found.length > end;
  const next_page = has_more ? String(end) : null;
  return { object: 'search_result', data: found.slice(start, end), has_more, next_page, url: `${path}/search` };
}

function clauseOf(text: string): (intent: FakeIntent) => boolean {
  const match = clause.exec(text);
  if (match === null) throw invalid(`We were unable to parse your search query: ${text}`, { param: 'query' });
  const [, , key, field, , value] = match;
  if (key !== undefined) return ({ metadata }) => metadata[key] === value;
  return (intent) => intent[field as 'status' | 'currency' | 'customer'] === value;
}
