import type { Connection } from '../base/sql.ts';

/** How the tests look for a secret: in every encoding, in everything that is stored. */

export function luhn(digits: string): string {
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) {
    const doubled = at % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits + ((10 - (sum % 10)) % 10);
}

export function digits(count: number): string {
  return Array.from({ length: count }, () => Math.floor(Math.random() * 10)).join('');
}

export type Form = { name: string; bytes: Buffer };

/** Base64 looks different for each of the three places at which a text can begin. The characters that depend on neighbours are left out. */
function base64Of(text: string, shift: number, encoding: 'base64' | 'base64url'): Buffer {
  const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString(encoding);
  return Buffer.from(whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + text.length) * 8) / 6)));
}

export function formsOf(name: string, text: string): Form[] {
  const form = (kind: string, bytes: Buffer | string) => ({ name: `${name} ${kind}`, bytes: Buffer.from(bytes) });
  const forms = [
    form('raw', text),
    form('UTF-16', Buffer.from(text, 'utf16le')),
    form('hex', Buffer.from(text).toString('hex')),
    form('upper hex', Buffer.from(text).toString('hex').toUpperCase()),
    ...[0, 1, 2].map((shift) => form(`base64 at ${shift}`, base64Of(text, shift, 'base64'))),
    ...[0, 1, 2].map((shift) => form(`base64url at ${shift}`, base64Of(text, shift, 'base64url'))),
  ];
  if (!/^\d+$/.test(text)) return forms;
  const inFours = text.match(/.{1,4}/g)!;
  const packed = Buffer.from(text.length % 2 === 0 ? text : `${text}0`, 'hex');
  return [
    ...forms,
    form('packed', packed.subarray(0, Math.floor(text.length / 2))),
    ...[' ', '-', '+', '%20', '.'].map((gap) => form(`in fours with "${gap}"`, inFours.join(gap))),
    ...[' ', '-'].map((gap) =>
      form(`in 4-6-5 with "${gap}"`, [text.slice(0, 4), text.slice(4, 10), text.slice(10)].join(gap)),
    ),
  ];
}

/** The names of the forms that are in the bytes. */
export function formsFound(bytes: Buffer, forms: readonly Form[]): string[] {
  return forms.filter((form) => bytes.includes(form.bytes)).map(({ name }) => name);
}

/** Between two texts that are searched as one. The letter keeps the name of a code from being beside the digits of the next text. */
const seam = Buffer.from('\n|x|\n');

/** One search in many texts takes a fraction of as many searches. */
export function joined(texts: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat(texts.flatMap((text) => [Buffer.from(text as string), seam]));
}

/** All rows of all tables: as the database prints them (bytes in hex), and every value as it is. */
export async function searchTables(
  sql: Connection,
  find: (bytes: Buffer) => string[],
): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql.query(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of [...tables, { name: 'pg_stat_activity' }]) {
    const { rows } = await sql.query(`select t::text as printed, t.* from ${name} t`);
    const values = rows.flatMap((row) => Object.values(row));
    const printed = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    const hits = find(joined(values.map((value) => (Buffer.isBuffer(value) ? value : printed(value)))));
    if (hits.length > 0) found[name] = hits;
  }
  return found;
}
