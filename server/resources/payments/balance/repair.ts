import type { Write } from '../../../base/commit/index.ts';
import { type Posting, post } from '../../../ledger/posting.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { missingOfCredit } from '../customers/missing.ts';
import { missingOfDisputes } from '../disputes/missing.ts';
import { missingOfPayments } from '../payments/missing.ts';
import { missingOfRefunds } from '../refunds/missing.ts';
import { RepairOutput } from './schema.ts';

const rowsMax = 200; // of payments, of refunds, of disputes and of credit transactions: a commit is at most 1 MiB

export type MissingPosting = Pick<Posting, 'kind' | 'source' | 'amount' | 'currency' | 'available_on'> & {
  /** Credit belongs to none. */
  payment?: string;
};
export type Repaired = { data: MissingPosting[]; has_more: boolean };

/** The postings that payments, refunds, disputes and credit transactions ask for and the ledger lacks, as they would be posted now. */
async function missingPostings(context: Context): Promise<{ writes: Write[]; shown: Repaired }> {
  const found = await Promise.all([
    missingOfPayments(context, rowsMax),
    missingOfRefunds(context, rowsMax),
    missingOfDisputes(context, rowsMax),
    missingOfCredit(context, rowsMax),
  ]);
  const writes = found.flat().map((movement) => post(context.tenant, context.now, movement));
  const has_more = found.some((movements) => new Set(movements.map(({ source }) => source)).size === rowsMax);
  return { writes, shown: { data: writes.map(({ row }) => serialize(row as Posting)), has_more } };
}

function serialize({ kind, source, payment, amount, currency, available_on }: Posting): MissingPosting {
  return { kind, source, ...(payment === null ? {} : { payment }), amount, currency, available_on };
}

const listMissing = operation({
  callers: ['operator'],
  name: 'balance.list_missing',
  summary: 'List the postings that the ledger lacks',
  route: 'GET /balance/missing',
  output: RepairOutput,
  async run(context) {
    return { result: (await missingPostings(context)).shown };
  },
});

/** Existing postings are never touched. Of two repairs at the same moment, one conflicts with the other and looks again. */
const repair = operation({
  callers: ['operator'],
  name: 'balance.repair',
  summary: 'Post what the ledger lacks',
  route: 'POST /balance/missing',
  output: RepairOutput,
  async run(context) {
    const { writes, shown } = await missingPostings(context);
    const audit = writes.map(({ row }) => {
      const { source, id, kind, amount, currency, payment } = row as Posting;
      return { action: 'posting.repaired', subject: source, details: { posting: id, kind, amount, currency, payment } };
    });
    return { result: shown, writes, audit };
  },
});

export const repairOperations = [listMissing, repair];
