import { type DirectoryWrite, insert, type Table, table, update } from '../../../base/commit/index.ts';
import type { Reads } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { partOf, type Range } from '../../../operations/range.ts';
import { type Invitation, invitationDays } from './invitation.ts';

const invitationsTable: Table<Invitation, 'directory'> = table('invitations', {
  home: 'directory',
  text: 'id account email role invited_by',
  int4: 'version',
  bytea: 'hash',
  bool: 'mailed',
  timestamptz: 'expires_at accepted_at revoked_at',
  key: ['id'],
});

const columns = invitationsTable.columns.join(', ');

export const addInvitation = (invitation: Invitation): DirectoryWrite => insert(invitationsTable, invitation);
/** `invitation` is the stored row with other values. Guarded: it is accepted once. */
export const replaceInvitation = (invitation: Invitation): DirectoryWrite =>
  update(invitationsTable, { ...invitation, version: invitation.version + 1 });

export async function findInvitation(reads: Reads, account: string, id: string): Promise<Invitation | undefined> {
  const text = `select ${columns} from invitations where account = $1 and id = $2`;
  const [found] = await reads.directory.rows<Invitation>(text, [account, id]);
  return found;
}

export async function findInvitationByHash(reads: Reads, hash: Buffer): Promise<Invitation | undefined> {
  const [found] = await reads.directory.rows<Invitation>(`select ${columns} from invitations where hash = $1`, [hash]);
  return found;
}

/** Those of an email that could still be used. */
export function findOpenInvitations(reads: Reads, account: string, email: string): Promise<Invitation[]> {
  return reads.directory.rows<Invitation>(
    `select ${columns} from invitations
      where account = $1 and email = $2 and accepted_at is null and revoked_at is null and expires_at > now()`,
    [account, email],
  );
}

export function findInvitations(reads: Reads, account: string, range: Range): Promise<Invitation[]> {
  const values: unknown[] = [account];
  const part = partOf(range, [['account', '$1']], (value) => `$${values.push(value)}`);
  return reads.directory.rows<Invitation>(`select ${columns} from invitations where true ${part}`, values);
}

/** Those that were not accepted are kept for as long again as they worked: an old link then says that it has expired. */
export async function sweepInvitations(pool: Pool): Promise<void> {
  const text = `delete from invitations where accepted_at is null and expires_at < now() - make_interval(days => $1)`;
  await query(pool, text, [invitationDays]);
}
