import { hash } from 'node:crypto';

/**
 * The columns of a posting from which its leaf in the chain is made. The sealer makes the leaf in SQL, so that no posting is
 * transferred, and `tollgate ledger verify` makes it here: two implementations that share no code must agree. Each column ends with a
 * line feed. Inside a column, a line feed is escaped as \n and a backslash as \\; null is \N, which no text becomes.
 */
export type PostingLine = {
  tenant: number;
  id: string;
  kind: string;
  debit: string;
  credit: string;
  /** As text, because an int8 may exceed a double. */
  amount: string;
  currency: string;
  source: string;
  payment: string | null;
  reference: string | null;
  available_on: string;
  position: string;
};

export const leafBytes = 16;

const escapedSql = (column: string) => String.raw`replace(replace(${column}, E'\\', E'\\\\'), E'\n', E'\\n')`;

/** Independent of the server's date style; only 'infinity' is written as the server writes it. */
const daySql = `coalesce(to_char(available_on, 'YYYY-MM-DD'), available_on::text)`;

const lineSql = [
  'tenant::text',
  ...['id', 'kind', 'debit', 'credit'].map(escapedSql),
  'amount::text',
  ...['currency', 'source'].map(escapedSql),
  ...['payment', 'reference'].map((column) => String.raw`coalesce(${escapedSql(column)}, E'\\N')`),
  daySql,
  'position::text',
]
  .map((column) => String.raw`${column} || E'\n'`)
  .join(' || ');

/** For a statement in which the columns of postings have their own names. */
export const leafSql = `substring(sha256(convert_to(${lineSql}, 'UTF8')) for ${leafBytes})`;

/** Selects a `PostingLine`. */
export const lineColumnsSql = `tenant, id, kind, debit, credit, amount::text, currency, source, payment, reference,
  ${daySql} as available_on, position::text`;

const lineColumns = [
  ...(['tenant', 'id', 'kind', 'debit', 'credit', 'amount'] as const),
  ...(['currency', 'source', 'payment', 'reference', 'available_on', 'position'] as const),
];

export function lineOf(posting: PostingLine): string {
  let line = '';
  for (const column of lineColumns) {
    const value = posting[column];
    line += `${value === null ? '\\N' : escaped(String(value))}\n`;
  }
  return line;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\\n]/g, (char) => (char === '\n' ? '\\n' : '\\\\'));
}

export function leafOf(posting: PostingLine): Buffer {
  return hash('sha256', lineOf(posting), 'buffer').subarray(0, leafBytes);
}
