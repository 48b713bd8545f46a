import { save, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { RoutingRule } from './rule.ts';

/** The rules of a tenant. Without a row there are none. */
export type Routing = { tenant: Tenant; id: 'routing'; version: number; rules: readonly RoutingRule[] };

export const routingTable: Table<Routing> = table('routing', { int4: 'tenant version', text: 'id', json: 'rules' });

export const saveRouting = (routing: Routing): Write => save(routingTable, routing);
