import type { Table } from '../base/commit/index.ts';
import type { KeyedRead } from '../base/reads.ts';
import { Type } from '../base/schema.ts';
import type { Descriptor } from './descriptor.ts';
import { apiError } from './errors.ts';
import type { Context } from './operation.ts';
import { MaybeText } from './schemas.ts';

/** Rows with an id in another system. It is unique among the rows of a kind, by an index on (tenant, external_id). */
export type ExternallyKnown = { id: string; external_id: string | null };

export const externalIdMax = 200;

const parameter = (description: string) => Type.Optional(Type.String({ maxLength: externalIdMax, description }));

export const ExternalIdParameter = parameter(
  'The id that the object has in another system, up to 200 characters; no other object of its kind may have it. Once set it does not change: an update can remove it, and then set another.',
);
export const ExternalIdFilter = parameter('Only the one that has this id in another system.');
export const MaybeExternalId = MaybeText('The id that the object has in another system; present when supplied.');

/** The list options of a kind that can be found by it: at most one row has it, so other filters are compared. */
export const foundByExternalId = { narrow: ['external_id'] };

type Finder = Pick<Context, 'reads' | 'tenant'>;

function byExternalId<Row>({ name, columns }: Table<Row>): KeyedRead {
  const text = `select t.* from unnest($1::int4[], $2::text[]) as x (tenant, external_id)
         cross join lateral (select ${columns.join(', ')} from ${name}
           where tenant = x.tenant and external_id = x.external_id limit 1) t`;
  return { name: `${name}_by_external_id`, keys: ['external_id'], text };
}

/** Makes the function that finds the object with an external id, for a search too. */
export function findByExternalId<Row extends ExternallyKnown>({ table }: Pick<Descriptor<Row>, 'table'>) {
  const read = byExternalId(table);
  return async ({ reads, tenant }: Finder, { text }: { text: string }): Promise<Row[]> => {
    const found = text.length > externalIdMax * 2 ? undefined : await reads.keyed<Row & object>(read, tenant, text);
    return found === undefined ? [] : [found as Row];
  };
}

/**
 * Refuses an external id that another object of the kind has, and one that would replace another. A race is lost at the commit, by the
 * unique index; then the operation decides again, and is refused here. `before`: the object, unless it is new.
 */
export async function checkExternalId<Row extends ExternallyKnown>(
  context: Finder,
  descriptor: Descriptor<Row>,
  wanted: string | null | undefined,
  before?: Row,
): Promise<void> {
  if (wanted == null || wanted === before?.external_id) return;
  if (before?.external_id != null)
    throw apiError('parameter_invalid', {
      param: 'external_id',
      reason: `the ${descriptor.noun} has another; remove that first, with an empty string, then set this one`,
    });
  const [holder] = await findByExternalId(descriptor)(context, { text: wanted });
  if (holder === undefined) return;
  throw apiError('external_id_in_use', { param: 'external_id', resource: descriptor.noun, id: holder.id });
}
