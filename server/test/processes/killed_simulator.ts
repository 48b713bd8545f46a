import type { Connection } from '../../base/sql.ts';
import type { Client } from '../client.ts';
import { crashPoints, localPoints } from './crash_point.fixture.ts';
import type { KilledProcessor } from './kill_run.ts';

/** Approved; disputed immediately; a refund is pending at first; a refund bounces. */
const cards = ['4242424242424242', '4242424242424242', '4000000000000259', '4000000000007726', '4000000000005126'];
/** The cardholder is wanted; declined; unknown, and found succeeded or never received. */
const setupCards = ['4000000000003220', '4000000000000002', '4000000000000408', '4000000000000416'];
const faults = ['lose_reply', 'lose_request', 'delay', 'twice', 'malformed', 'wrong_attempt', 'down'];

/** The simulator. It has faults where it is remote; where it is local, everything is one transaction. */
export function killedSimulator(sql: Connection, place: 'local' | 'remote'): KilledProcessor {
  return {
    name: place,
    points: place === 'remote' ? crashPoints : localPoints,
    methods: (client) => methodsOf(client, cards),
    setupMethods: (client) => methodsOf(client, setupCards),
    async trouble(random) {
      if (place === 'local') return;
      await sql.query('insert into simulator_faults (kind, milliseconds, remaining) values ($1, 50, $2)', [
        faults[random(faults.length)],
        random(3),
      ]);
    },
    calm: async () => void (await sql.query('update simulator_faults set remaining = 0')),
    violations: async () => [], // its books are tables, which the rules about payments read
  };
}

async function methodsOf(client: Client, numbers: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const number of numbers) {
    const card = { number, exp_month: 12, exp_year: 2040 };
    made.push((await client.post('/v1/payment_methods', { type: 'card', card })).json.id);
  }
  return made;
}
