import { catalog } from '../server/catalog.ts';
import { type Parts, withParts } from './markers.ts';

const parts: Parts = { types };

/** The guide to events, with the table of their types. */
export const eventsMarkdown = (guide: string) => withParts(guide, parts);

function types(): string {
  const rows = Object.entries(catalog.events).map(
    ([type, { when, schema }]) => `| \`${type}\` | ${when} | ${objectOf(type, schema)} |`,
  );
  return ['| type | when | `data.object` |', '|---|---|---|', ...rows].join('\n');
}

/** The object in an event of this type, in words. */
function objectOf(type: string, schema: object): string {
  const { properties } = schema as { properties: Record<string, unknown> };
  if ('deleted' in properties) return 'its id, and `"deleted": true`';
  const [noun] = type.split('.') as [string];
  return `the ${noun.replaceAll('_', ' ')}`;
}
