import { expect } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Answer } from '../../../test/client.ts';
import { eventually } from '../../../test/eventually.ts';
import type { ServerOptions } from '../../../test/harness.ts';
import { openShop, type Shop } from '../payments/payments.fixture.ts';

export const fraudulentCard = '4000000000000259';
export const notReceivedCard = '4000000000002685';
export const dayMs = 86_400_000;

/** For how long an answer of the processor is awaited. */
export const deadlineMs = 15_000;

// biome-ignore lint/suspicious/noExplicitAny: tests look into disputes and events of every shape
type Told = any;

/** A shop whose customers dispute, and what tests of disputes ask it again and again. */
export type Court = Shop & {
  clock: VirtualClock;
  /** A payment of 2000 that is disputed by now; the dispute. */
  disputed(number?: string, more?: object): Promise<Told>;
  /** Everything that is due, and all news. */
  settled(): Promise<void>;
  later(milliseconds: number): Promise<void>;
  get(id: string): Promise<Told>;
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** What went to and from the ledger because of a dispute. */
  postings(id: string): Promise<string[]>;
  /** The events of a dispute, oldest first. */
  told(id: string): Promise<{ type: string; object: Told; previous?: object }[]>;
  /** What was said in a dispute: evidence, then that it is given up. */
  words(id: string): Promise<Told[]>;
  disputeRow(id: string): Promise<Told>;
  /** The processor takes its time to say that the time for evidence is over. */
  delayDeadline(id: string, milliseconds: number): Promise<void>;
  fault(kind: string, verb: string, remaining?: number): Promise<void>;
};

export async function openCourt(place: string, options: ServerOptions = {}): Promise<Court> {
  const clock = virtualClock(Date.now() + 60_000);
  const shop = await openShop({
    clock,
    processorDeadlineMs: deadlineMs,
    environment: { SIMULATOR: place },
    ...options,
  });
  const settled = () => shop.server.settled();
  const get = async (id: string) => (await shop.account.test.get(`/v1/disputes/${id}`)).json;
  return {
    ...shop,
    clock,
    settled,
    get,
    async disputed(number = fraudulentCard, more = {}) {
      const payment = await shop.paid(number, more);
      // Another instance may have stored the notice, and records it.
      return eventually(async () => {
        await settled();
        const { data } = (await shop.account.test.get(`/v1/disputes?payment=${payment.id}`)).json;
        expect(data).toHaveLength(1);
        return data[0];
      });
    },
    async later(milliseconds) {
      clock.advance(milliseconds);
      await settled();
    },
    post: (path, body = {}, headers = {}) => shop.account.test.post(`/v1/disputes/${path}`, body, headers),
    async postings(id) {
      const rows = await shop.sql(
        `select kind, debit, credit, amount, currency, payment, reference from postings where source = $1
          order by array_position(array['dispute', 'dispute_reversal', 'dispute_lost'], kind)`,
        [id],
      );
      const [row] = await shop.sql('select payment, reference from disputes where id = $1', [id]);
      for (const { payment, reference } of rows) expect({ payment, reference }).toEqual(row);
      return rows.map(
        ({ kind, debit, credit, amount, currency }) => `${kind}: ${amount} ${currency}, ${debit} to ${credit}`,
      );
    },
    async told(id) {
      const rows = await shop.sql('select payload from events where object_id = $1 order by object_version', [id]);
      return rows.map(({ payload }) => {
        const { type, data } = JSON.parse(payload.toString());
        return { type, object: data.object, ...(data.previous_attributes && { previous: data.previous_attributes }) };
      });
    },
    words: (id) => shop.sql('select * from attempts where dispute = $1 order by verb desc, id', [id]),
    disputeRow: async (id) => (await shop.sql('select * from disputes where id = $1', [id]))[0],
    async delayDeadline(id, milliseconds) {
      const text = `update simulator_news n set at = n.at + $2 * interval '1 millisecond' from disputes d
                     where d.id = $1 and n.kind = 'deadline' and d.reference = replace(n.attempt, 'att_', 'sim_dp_')`;
      const { rowCount } = await shop.server.sql.query(text, [id, milliseconds]);
      expect(rowCount).toBe(1);
    },
    async fault(kind, verb, remaining = 1) {
      const text = 'insert into simulator_faults (verb, kind, remaining) values ($1, $2, $3)';
      await shop.sql(text, [verb, kind, remaining]);
    },
  };
}

export const taken = 'dispute: 2000 usd, balance to disputed';
export const reversed = 'dispute_reversal: 2000 usd, disputed to balance';
export const lost = 'dispute_lost: 2000 usd, disputed to processor';
