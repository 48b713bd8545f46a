import { type DirectoryWrite, insert, remove, type Table, table, update } from '../../../base/commit/index.ts';
import type { Reads } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { MemberAccount } from '../../../operations/caller.ts';
import { partOf, type Range } from '../../../operations/range.ts';
import type { Role } from '../../../operations/role.ts';
import type { UserId } from '../users/user.ts';
import { idleHoursMax, type Session, type SessionId } from './session.ts';

/** Without `last_used`, which is written beside the commits. */
const sessionsTable: Table<Session, 'directory'> = table('sessions', {
  home: 'directory',
  text: 'id user_id address browser',
  int4: 'version generation',
  bytea: 'hash',
  timestamptz: 'expires_at ended_at',
  key: ['id'],
});

export type SignInLink = {
  id: string;
  hash: Buffer;
  version: number;
  user_id: UserId;
  /** It signs in, in development, or it sets a new password. */
  purpose: 'sign_in' | 'reset';
  /** The authenticator is lost too. */
  clears_totp: boolean;
  /** It went to the email of the user and was shown to nobody. */
  mailed: boolean;
  expires_at: Date;
};
const linksTable: Table<SignInLink, 'directory'> = table('sign_in_links', {
  home: 'directory',
  bytea: 'hash',
  int4: 'version',
  text: 'id user_id purpose',
  bool: 'clears_totp mailed',
  timestamptz: 'expires_at',
  key: ['id'],
});

const columns = sessionsTable.columns.join(', ');

export const addSession = (session: Session): DirectoryWrite => insert(sessionsTable, session);
export const addLink = (link: SignInLink): DirectoryWrite => insert(linksTable, link);
/** Guarded: of two who use a link at the same moment, one succeeds. */
export const dropLink = (link: SignInLink): DirectoryWrite => remove(linksTable, link);
/** With the password that its owner has just chosen, this session goes on. */
export const keepSession = (session: Session): DirectoryWrite =>
  update(sessionsTable, { ...session, version: session.version + 1, generation: session.generation + 1 });

export function endSession(session: Session, now: number): DirectoryWrite {
  return update(sessionsTable, { ...session, version: session.version + 1, ended_at: new Date(now) });
}

function isOpen(): string {
  return `ended_at is null and expires_at > now() and last_used > now() - make_interval(hours => ${idleHoursMax})
    and generation = (select u.generation from users u where u.id = $1)`;
}

/** Those that have neither ended nor run out, or one of them. */
export function findOpenSessions(reads: Reads, user: UserId, id: string | null): Promise<Session[]> {
  return reads.directory.rows<Session>(
    `select ${columns} from sessions where user_id = $1 and ($2::text is null or id = $2) and ${isOpen()} order by id desc`,
    [user, id],
  );
}

export type SeenSession = Session & { last_used: Date };

export function findSessionPage(reads: Reads, user: UserId, range: Range): Promise<SeenSession[]> {
  const values: unknown[] = [user];
  const part = partOf(range, [['user_id', '$1']], (value) => `$${values.push(value)}`);
  return reads.directory.rows<SeenSession>(
    `select ${columns}, last_used from sessions where ${isOpen()} ${part}`,
    values,
  );
}

export async function findLink(
  reads: Reads,
  hash: Buffer,
  purpose: SignInLink['purpose'],
): Promise<SignInLink | undefined> {
  const text = `select ${linksTable.columns.join(', ')} from sign_in_links where hash = $1 and purpose = $2 and expires_at > now()`;
  const [link] = await reads.directory.rows<SignInLink>(text, [hash, purpose]);
  return link;
}

/** Those that still work, for a new password of a user. */
export function findResetLinks(reads: Reads, user: UserId): Promise<SignInLink[]> {
  const text = `select ${linksTable.columns.join(', ')} from sign_in_links where user_id = $1 and purpose = 'reset' and expires_at > now()`;
  return reads.directory.rows<SignInLink>(text, [user]);
}

/** When a link ended that nobody has used in time; undefined for one that was used, or never made. */
export async function findLinkEnd(
  reads: Reads,
  hash: Buffer,
  purpose: SignInLink['purpose'],
): Promise<Date | undefined> {
  const text = 'select expires_at from sign_in_links where hash = $1 and purpose = $2 and expires_at <= now()';
  const [link] = await reads.directory.rows<Pick<SignInLink, 'expires_at'>>(text, [hash, purpose]);
  return link?.expires_at;
}

/** Who of these users has signed in from the network before. Without users it takes the same time. */
export async function findKnownHere(
  reads: Reads,
  users: readonly UserId[],
  network: string,
): Promise<UserId | undefined> {
  const text = 'select user_id from sign_in_networks where user_id = any($1) and network = $2 order by user_id limit 1';
  const [known] = await reads.directory.rows<{ user_id: UserId }>(text, [users, network]);
  return known?.user_id;
}

export type SessionRow = {
  id: SessionId;
  user_id: UserId;
  email: string;
  email_verified: boolean;
  totp_enabled: boolean;
  expires_at: Date;
  /** Signed out, idle for too long, past its end, or begun with an earlier password. */
  over: boolean;
};

/** By hash: this is how a request finds the person. */
export async function findSessionByHash(pool: Pool, hash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await query<SessionRow>(
    pool,
    `select s.id, s.user_id, s.expires_at, u.email, v.user_id is not null as email_verified,
            u.totp_secret is not null as totp_enabled,
            s.ended_at is not null or s.generation <> u.generation or s.expires_at <= now()
              or s.last_used <= now() - make_interval(hours => $2) as over
       from sessions s join users u on u.id = s.user_id left join verified_emails v on v.user_id = u.id where s.hash = $1`,
    [hash, idleHoursMax],
  );
  return row;
}

/** The accounts that a user works in, with both tenants of each. */
export async function findMemberAccounts(sql: Pool | Reads, user: UserId): Promise<MemberAccount[]> {
  type Row = Omit<MemberAccount, 'tenants'> & { test: number; live: number };
  const text = `select a.id, a.name, a.status, a.totp_required, m.role, t.tenant as test, l.tenant as live
       from memberships m join accounts a on a.id = m.account
       join tenants t on t.account = a.id and t.mode = 'test' join tenants l on l.account = a.id and l.mode = 'live'
      where m.user_id = $1 order by a.id`;
  const rows = 'directory' in sql ? await sql.directory.rows<Row>(text, [user]) : await query<Row>(sql, text, [user]);
  return rows.map(({ test, live, ...account }) => ({ ...account, tenants: { test, live } }) as MemberAccount);
}

/** An account as somebody sees it who is about to get this role in it. */
export async function findAccountAs(reads: Reads, account: string, role: Role): Promise<MemberAccount> {
  type Row = Omit<MemberAccount, 'tenants' | 'role'> & { test: number; live: number };
  const [row] = await reads.directory.rows<Row>(
    `select a.id, a.name, a.status, a.totp_required, t.tenant as test, l.tenant as live from accounts a
       join tenants t on t.account = a.id and t.mode = 'test' join tenants l on l.account = a.id and l.mode = 'live'
      where a.id = $1`,
    [account],
  );
  const { test, live, ...found } = row!;
  return { ...found, role, tenants: { test, live } } as MemberAccount;
}

export async function noteSessionsUsed(pool: Pool, ids: readonly SessionId[]): Promise<void> {
  const text = `with used as (update sessions set last_used = now() where id = any($1) returning user_id)
    update users set last_seen = now() where id in (select user_id from used)`;
  await query(pool, text, [ids]);
}

/** Rows that are no longer needed. A session that has ended is kept until it would have run out, and a link for a day, to say that it has. */
export async function sweepSessions(pool: Pool): Promise<void> {
  await query(pool, 'delete from sessions where expires_at < now()', []);
  await query(pool, `delete from sign_in_links where expires_at < now() - interval '1 day'`, []);
}
