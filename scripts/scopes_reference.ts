import { catalog, operations } from '../server/catalog.ts';
import { type Parts, withParts } from './markers.ts';

const parts: Parts = { scopes };

/** The guide to authentication, with the table of scopes. */
export const scopesMarkdown = (guide: string) => withParts(guide, parts);

function scopes(): string {
  const permitted = Map.groupBy(
    operations.filter(({ callers }) => callers.includes('key')),
    ({ scope }) => scope as string,
  );
  const rows = catalog.scopes.map((scope) => {
    const names = permitted.get(scope)?.map(({ name }) => `\`${name}\``);
    return `| \`${scope}\` | ${names?.join(', ') ?? `the same as \`${scope.replace(':write', ':read')}\``} |`;
  });
  return ['| scope | operations |', '|---|---|', ...rows].join('\n');
}
