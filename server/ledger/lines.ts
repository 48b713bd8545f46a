import { hash } from 'node:crypto';

/**
 * A posting as one text, from which its leaf in the chain is made. The sealer makes it in SQL, so that no posting has to travel, and
 * `tollgate ledger verify` makes it here: two that do not share a line of code must come to the same. Columns end with a line feed,
 * so the text inside them has none: a line feed is written \n, a backslash \\, and a null \N, which no text can become.
 */
export type Line = {
  tenant: number;
  id: string;
  kind: string;
  debit: string;
  credit: string;
  /** As text, like all numbers that may be beyond a double. */
  amount: string;
  currency: string;
  source: string;
  payment: string;
  reference: string | null;
  available_on: string;
  position: string;
};

export const leafBytes = 16;

const escapedSql = (column: string) => String.raw`replace(replace(${column}, E'\\', E'\\\\'), E'\n', E'\\n')`;

/** Independent of how the server writes dates; only what is no day at all is written in its own way. */
const daySql = `coalesce(to_char(available_on, 'YYYY-MM-DD'), available_on::text)`;

const lineSql = [
  'tenant::text',
  ...['id', 'kind', 'debit', 'credit'].map(escapedSql),
  'amount::text',
  ...['currency', 'source', 'payment'].map(escapedSql),
  String.raw`coalesce(${escapedSql('reference')}, E'\\N')`,
  daySql,
  'position::text',
]
  .map((column) => String.raw`${column} || E'\n'`)
  .join(' || ');

/** Over the columns of postings, which must be called by no other name. */
export const leafSql = `substring(sha256(convert_to(${lineSql}, 'UTF8')) for ${leafBytes})`;

/** What `Line` is made of. */
export const lineColumnsSql = `tenant, id, kind, debit, credit, amount::text, currency, source, payment, reference,
  ${daySql} as available_on, position::text`;

export function lineOf(posting: Line): string {
  const { tenant, id, kind, debit, credit, amount, currency, source, payment, reference, available_on, position } =
    posting;
  let line = '';
  for (const column of [
    String(tenant),
    id,
    kind,
    debit,
    credit,
    amount,
    currency,
    source,
    payment,
    reference,
    available_on,
    position,
  ])
    line += `${column === null ? '\\N' : escaped(column)}\n`;
  return line;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\\n]/g, (char) => (char === '\n' ? '\\n' : '\\\\'));
}

export function leafOf(posting: Line): Buffer {
  return hash('sha256', lineOf(posting), 'buffer').subarray(0, leafBytes);
}
