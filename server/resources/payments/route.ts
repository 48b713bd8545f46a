import type { Connector } from '../../connectors/contract.ts';
import type { Context } from '../operation.ts';

/** A processor that may take a payment. */
export type Candidate = {
  connector: Connector;
  /** Why it was chosen, in a sentence; null where there is no choice. */
  reason: string | null;
};

/** The processors that may take a payment, in the order in which they are tried; at least one. */
export async function candidatesFor({ connectors, mode }: Context): Promise<[Candidate, ...Candidate[]]> {
  return [{ connector: connectors.forMode(mode), reason: null }];
}
