import { discard, insert, type Table, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads } from '../../base/reads.ts';
import { type Pool, query } from '../../base/sql.ts';
import type { UserId } from '../users/user.ts';
import { idleHoursMax, type MemberAccount, type Session, type SessionId } from './session.ts';

/** Without `last_used`, which is written beside the commits. */
const sessionsTable: Table<Session> = table('sessions', {
  text: 'id user_id address browser',
  int4: 'version',
  bytea: 'hash',
  timestamptz: 'expires_at ended_at',
  key: ['id'],
});

export type SignInLink = { hash: Buffer; user_id: UserId; expires_at: Date };
const linksTable: Table<SignInLink> = table('sign_in_links', {
  bytea: 'hash',
  text: 'user_id',
  timestamptz: 'expires_at',
  key: ['hash'],
});

const columns = sessionsTable.columns.join(', ');

export const addSession = (session: Session): Write => insert(sessionsTable, session);
export const addLink = (link: SignInLink): Write => insert(linksTable, link);
export const dropLink = (hash: Buffer): Write => discard(linksTable, { hash });

export function endSession(session: Session, now: number): Write {
  return update(sessionsTable, { ...session, version: session.version + 1, ended_at: new Date(now) });
}

/** Those that have neither ended nor run out, or one of them. */
export function findOpenSessions(reads: Reads, user: UserId, id: SessionId | null): Promise<Session[]> {
  return reads.rows<Session>(
    `select ${columns} from sessions
      where user_id = $1 and ($2::text is null or id = $2) and ended_at is null and expires_at > now()
        and last_used > now() - make_interval(hours => $3) order by id desc`,
    [user, id, idleHoursMax],
  );
}

export async function findLink(reads: Reads, hash: Buffer): Promise<SignInLink | undefined> {
  const text = 'select hash, user_id, expires_at from sign_in_links where hash = $1 and expires_at > now()';
  const [link] = await reads.rows<SignInLink>(text, [hash]);
  return link;
}

export type SessionRow = {
  id: SessionId;
  user_id: UserId;
  email: string;
  totp_enabled: boolean;
  expires_at: Date;
  /** Signed out, idle for too long or past its end. */
  over: boolean;
};

/** By hash: this is how a request finds the person. */
export async function findSessionByHash(pool: Pool, hash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await query<SessionRow>(
    pool,
    `select s.id, s.user_id, s.expires_at, u.email, u.totp_secret is not null as totp_enabled,
            s.ended_at is not null or s.expires_at <= now() or s.last_used <= now() - make_interval(hours => $2) as over
       from sessions s join users u on u.id = s.user_id where s.hash = $1`,
    [hash, idleHoursMax],
  );
  return row;
}

/** The accounts that a user works in, with both tenants of each. */
export async function findMemberAccounts(sql: Pool | Reads, user: UserId): Promise<MemberAccount[]> {
  type Row = Omit<MemberAccount, 'tenants'> & { test: number; live: number };
  const text = `select a.id, a.name, a.status, m.role, t.tenant as test, l.tenant as live
       from memberships m join accounts a on a.id = m.account
       join tenants t on t.account = a.id and t.mode = 'test' join tenants l on l.account = a.id and l.mode = 'live'
      where m.user_id = $1 order by a.id`;
  const rows = 'rows' in sql ? await sql.rows<Row>(text, [user]) : await query<Row>(sql, text, [user]);
  return rows.map(({ test, live, ...account }) => ({ ...account, tenants: { test, live } }) as MemberAccount);
}

export async function noteSessionsUsed(pool: Pool, ids: readonly SessionId[]): Promise<void> {
  await query(pool, 'update sessions set last_used = now() where id = any($1)', [ids]);
}

/** Rows that nobody needs any more. A session that has ended is kept until it would have run out. */
export async function sweepSessions(pool: Pool): Promise<void> {
  await query(pool, 'delete from sessions where expires_at < now()', []);
  await query(pool, 'delete from sign_in_links where expires_at < now()', []);
}
