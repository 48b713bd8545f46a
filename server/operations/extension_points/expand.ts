import { type Descriptor, findRow, type Listed, readScopeOf } from '../descriptor.ts';
import type { Expandable } from '../expand.ts';
import { extensionPoint } from '../resource.ts';

export const expandables = extensionPoint<Expandable>('objects that others refer to');

/** The objects of a noun, for those that refer to them. */
export function expandable<Row extends Listed>(descriptor: Descriptor<Row>): Expandable {
  const { resource, prefix, table, output, serialize } = descriptor;
  const find = findRow(descriptor);
  const show = (row: Row | undefined) => (row === undefined || row.deleted ? undefined : serialize(row));
  return {
    resource,
    prefix,
    table,
    output,
    scope: readScopeOf(descriptor),
    show: (row) => show(row as Row),
    find: async (context, id) => show(await find({ ...context, id }, id)),
  };
}
