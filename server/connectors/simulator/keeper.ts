import type { Connector } from '../contract.ts';
import type { AccountBehaviour } from './behaves.ts';
import { broken } from './unsent.ts';
import { keptCard } from './wire.ts';

/** Tokens of the simulator: every account knows the same ones. */
export function createKeeper(behaves: AccountBehaviour): Required<Pick<Connector, 'lookUp' | 'keep' | 'forget'>> {
  const reach = () => {
    if (behaves === 'unreachable') throw broken('ECONNREFUSED', 'connect ECONNREFUSED');
  };
  return {
    async lookUp(token) {
      reach();
      return keptCard(token);
    },
    /** The same id gets the same customer: a repeated request has one effect. */
    async keep({ token, id }) {
      reach();
      const kept = keptCard(token);
      if (kept === undefined) return { refused: 'The simulator keeps no card under this token.' };
      return { customer: kept.customer ?? `sim_cus_${id}` };
    },
    async forget({ customer, id }) {
      reach();
      return customer === `sim_cus_${id}` ? 'forgotten' : 'not_ours';
    },
  };
}
