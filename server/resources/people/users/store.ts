import { claim, type DirectoryWrite, insert, remove, type Table, table, update } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { partOf, type Range } from '../../../operations/range.ts';
import type { Role } from '../../../operations/role.ts';
import { tenantsTable } from '../../../operations/tenants.ts';
import type { KnownUser, MemberSet, Membership, User, UserId, VerifiedEmail } from './user.ts';

/** Without `last_seen`, which is written beside the commits. */
const userColumns = {
  text: 'id email password home_account',
  int4: 'version generation',
  bytea: 'totp_secret',
  int8: 'totp_step',
  json: 'recovery_codes',
} as const;
const usersTable: Table<User, 'directory'> = table('users', { home: 'directory', ...userColumns, key: ['id'] });
const verifiedTable: Table<VerifiedEmail, 'directory'> = table('verified_emails', {
  home: 'directory',
  text: 'email user_id',
  int4: 'version',
  timestamptz: 'verified_at',
  key: ['email'],
  identity: ['email', 'user_id'],
});

const membershipsTable: Table<Membership, 'directory'> = table('memberships', {
  home: 'directory',
  text: 'account user_id role',
  int4: 'version',
  key: ['account', 'user_id'],
});

const memberSetsTable: Table<MemberSet, 'directory'> = table('member_sets', {
  home: 'directory',
  text: 'account',
  int4: 'version',
  key: ['account'],
});

const columns = usersTable.columns.join(', ');
const columnsOf = (name: string) => usersTable.columns.map((column) => `${name}.${column}`).join(', ');

export const addUser = (user: User): DirectoryWrite => insert(usersTable, user);
/** Of two users who claim an email at the same moment, one gets it. */
export const addVerifiedEmail = (verified: VerifiedEmail): DirectoryWrite => claim(verifiedTable, verified);
export const dropVerifiedEmail = (verified: VerifiedEmail): DirectoryWrite => remove(verifiedTable, verified);
/** `user` is the stored row with other values. */
export const replaceUser = (user: User): DirectoryWrite => update(usersTable, { ...user, version: user.version + 1 });

/** Every change of a role counts up the members of its account: it conflicts with any other change that was decided at the same time. */
export const addMembership = (membership: Membership, { set }: Owners): DirectoryWrite[] => [
  insert(membershipsTable, membership),
  countUp(set),
];
export const replaceMembership = (membership: Membership, { set }: Owners): DirectoryWrite[] => [
  update(membershipsTable, membership),
  countUp(set),
];
export const dropMembership = (membership: Membership, { set }: Owners): DirectoryWrite[] => [
  remove(membershipsTable, membership),
  countUp(set),
];

/** For what depends on who the owners are, and changes no role itself. */
export function countUp({ account, version }: MemberSet): DirectoryWrite {
  const after = { account, version: version + 1 };
  return version === 0 ? claim(memberSetsTable, after) : update(memberSetsTable, after);
}

/** The owners of an account at one version of its members. */
export type Owners = { set: MemberSet; owners: readonly string[] };

export async function readMembers(reads: Reads, account: string): Promise<Owners> {
  const [found] = await reads.directory.rows<{ version: number; owners: string[] }>(
    `select coalesce((select version from member_sets where account = $1), 0) as version,
            array(select user_id from memberships where account = $1 and role = 'owner' order by user_id) as owners`,
    [account],
  );
  return { set: { account, version: found!.version }, owners: found!.owners };
}

/** A member of an account as an owner sees it. */
export type MemberRow = {
  id: UserId;
  account: string;
  version: number;
  role: Role;
  email: string;
  email_verified: boolean;
  totp_enabled: boolean;
  last_seen: Date | null;
};

/** When a session was last used is known longer than the session. */
function members(): string {
  return `with members as (
    select m.account, m.user_id as id, m.version, m.role, u.email, v.user_id is not null as email_verified,
           u.totp_secret is not null as totp_enabled,
           greatest(u.last_seen, (select max(s.last_used) from sessions s where s.user_id = u.id)) as last_seen
      from memberships m join users u on u.id = m.user_id left join verified_emails v on v.user_id = u.id)`;
}

export function findMembers(reads: Reads, account: string, range: Range): Promise<MemberRow[]> {
  const values: unknown[] = [account];
  const part = partOf(range, [['account', '$1']], (value) => `$${values.push(value)}`);
  return reads.directory.rows<MemberRow>(`${members()} select * from members where true ${part}`, values);
}

export async function findMember(reads: Reads, account: string, id: string): Promise<MemberRow | undefined> {
  const text = `${members()} select * from members where account = $1 and id = $2`;
  const [found] = await reads.directory.rows<MemberRow>(text, [account, id]);
  return found;
}

export async function hasMember(reads: Reads, account: string, email: string): Promise<boolean> {
  const text = `select from memberships m join users u on u.id = m.user_id where m.account = $1 and u.email = $2`;
  return (await reads.directory.rows(text, [account, email])).length > 0;
}

/** The same by a tenant of the account, in whatever case the email is written. */
export async function hasMemberIn(reads: Reads, tenant: Tenant, email: string): Promise<boolean> {
  const text = `select from ${tenantsTable} t join memberships m on m.account = t.account join users u on u.id = m.user_id
                 where t.tenant = $1 and lower(u.email) = lower($2) limit 1`;
  return (await reads.directory.rows(text, [tenant, email])).length > 0;
}

const ownersMax = 100; // who are written to

export async function findOwnerEmails(reads: Reads, account: string): Promise<string[]> {
  const text = `select u.email from memberships m join users u on u.id = m.user_id
                 where m.account = $1 and m.role = 'owner' order by u.id limit ${ownersMax}`;
  return (await reads.directory.rows<{ email: string }>(text, [account])).map(({ email }) => email);
}

const usersMax = 100; // of one email

/** The verified one first, then the oldest. */
export function findUsersByEmail(reads: Reads, email: string): Promise<KnownUser[]> {
  return reads.directory.rows<KnownUser>(
    `select ${columnsOf('u')}, v.user_id is not null as email_verified
       from users u left join verified_emails v on v.user_id = u.id
      where u.email = $1 order by email_verified desc, u.id limit ${usersMax}`,
    [email],
  );
}

/**
 * The users that somebody who signs in may mean: the verified one and the members of a named account first, then those who have a role,
 * who have signed in from this network before, and the oldest. Others who claim the email later cannot displace them.
 */
export function findUsersToTry(
  reads: Reads,
  email: string,
  { account, network, max }: { account: string | undefined; network: string; max: number },
): Promise<User[]> {
  return reads.directory.rows<User>(
    `select ${columnsOf('u')} from users u
      where u.email = $1
      order by exists (select from memberships m where m.user_id = u.id and m.account = $2) desc,
               exists (select from verified_emails v where v.user_id = u.id) desc,
               exists (select from memberships m where m.user_id = u.id) desc,
               exists (select from sign_in_networks n where n.user_id = u.id and n.network = $3) desc,
               u.id
      limit $4`,
    [email, account ?? null, network, max],
  );
}

export async function findAccountsOf(reads: Reads, user: UserId): Promise<string[]> {
  const text = 'select account from memberships where user_id = $1 order by account';
  return (await reads.directory.rows<{ account: string }>(text, [user])).map(({ account }) => account);
}

export async function findVerifiedEmail(reads: Reads, email: string): Promise<VerifiedEmail | undefined> {
  const text = `select ${verifiedTable.columns.join(', ')} from verified_emails where email = $1`;
  const [found] = await reads.directory.rows<VerifiedEmail>(text, [email]);
  return found;
}

export async function findUser(reads: Reads, id: string): Promise<User | undefined> {
  const [user] = await reads.directory.rows<User>(`select ${columns} from users where id = $1`, [id]);
  return user;
}
