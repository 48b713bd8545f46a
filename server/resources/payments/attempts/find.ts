import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Attempt } from './attempt.ts';
import { attemptsTable } from './store.ts';

/** For those who only ask what became of an attempt. */
export function findAttempt(reads: Reads, tenant: Tenant, id: string): Promise<Attempt | undefined> {
  return reads.one(attemptsTable, tenant, id);
}
