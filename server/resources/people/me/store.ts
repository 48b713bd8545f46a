import { claim, type DirectoryWrite, remove, type Table, table, update } from '../../../base/commit/index.ts';
import type { Reads } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { UserId } from '../users/user.ts';

/** A code that was mailed to a user, to verify the email. */
export type EmailCode = {
  user_id: UserId;
  version: number;
  /** A keyed hash of the user and the code. */
  hash: Buffer;
  /** Wrong ones since it was mailed. */
  tries: number;
  expires_at: Date;
};

const codesTable: Table<EmailCode, 'directory'> = table('email_codes', {
  home: 'directory',
  text: 'user_id',
  int4: 'version tries',
  bytea: 'hash',
  timestamptz: 'expires_at',
  key: ['user_id'],
});

/** A user has one code: a new one replaces that before. */
export function saveEmailCode(code: EmailCode): DirectoryWrite {
  return code.version === 1 ? claim(codesTable, code) : update(codesTable, code);
}

export const dropEmailCode = (code: EmailCode): DirectoryWrite => remove(codesTable, code);

export async function findEmailCode(reads: Reads, user: UserId): Promise<EmailCode | undefined> {
  const text = `select ${codesTable.columns.join(', ')} from email_codes where user_id = $1`;
  const [found] = await reads.directory.rows<EmailCode>(text, [user]);
  return found;
}

export async function sweepEmailCodes(pool: Pool): Promise<void> {
  await query(pool, 'delete from email_codes where expires_at < now()', []);
}
