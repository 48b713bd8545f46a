import { claim, insert, remove, type Table, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads } from '../../base/reads.ts';
import { partOf, type Range } from '../range.ts';
import type { Role } from '../role.ts';
import type { MemberSet, Membership, User, UserId } from './user.ts';

/** Without `last_seen`, which is written beside the commits. */
const userColumns = {
  text: 'id email password',
  int4: 'version generation',
  bytea: 'totp_secret',
  int8: 'totp_step',
  json: 'recovery_codes',
} as const;
const usersTable: Table<User> = table('users', { ...userColumns, key: ['id'] });
/** For a new user: of two with one email, one is made. */
const usersByEmail: Table<User> = table('users', { ...userColumns, key: ['email'], identity: ['email', 'id'] });

const membershipsTable: Table<Membership> = table('memberships', {
  text: 'account user_id role',
  int4: 'version',
  key: ['account', 'user_id'],
});

const memberSetsTable: Table<MemberSet> = table('member_sets', { text: 'account', int4: 'version', key: ['account'] });

const columns = usersTable.columns.join(', ');

export const addUser = (user: User): Write => claim(usersByEmail, user);
/** `user` is the stored row with other values. */
export const replaceUser = (user: User): Write => update(usersTable, { ...user, version: user.version + 1 });

/** Every change of a role counts up the members of its account: it conflicts with any other change that was decided at the same time. */
export const addMembership = (membership: Membership, { set }: Owners): Write[] => [
  insert(membershipsTable, membership),
  countUp(set),
];
export const replaceMembership = (membership: Membership, { set }: Owners): Write[] => [
  update(membershipsTable, membership),
  countUp(set),
];
export const dropMembership = (membership: Membership, { set }: Owners): Write[] => [
  remove(membershipsTable, membership),
  countUp(set),
];

/** For what depends on who the owners are, and changes no role itself. */
export function countUp({ account, version }: MemberSet): Write {
  const after = { account, version: version + 1 };
  return version === 0 ? claim(memberSetsTable, after) : update(memberSetsTable, after);
}

/** The owners of an account at one version of its members. */
export type Owners = { set: MemberSet; owners: readonly string[] };

export async function readMembers(reads: Reads, account: string): Promise<Owners> {
  const [found] = await reads.rows<{ version: number; owners: string[] }>(
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
  totp_enabled: boolean;
  last_seen: Date | null;
};

/** When a session was last used is known longer than the session. */
function members(): string {
  return `with members as (
    select m.account, m.user_id as id, m.version, m.role, u.email, u.totp_secret is not null as totp_enabled,
           greatest(u.last_seen, (select max(s.last_used) from sessions s where s.user_id = u.id)) as last_seen
      from memberships m join users u on u.id = m.user_id)`;
}

export function findMembers(reads: Reads, account: string, range: Range): Promise<MemberRow[]> {
  const values: unknown[] = [account];
  const part = partOf(range, [['account', '$1']], (value) => `$${values.push(value)}`);
  return reads.rows<MemberRow>(`${members()} select * from members where true ${part}`, values);
}

export async function findMember(reads: Reads, account: string, id: string): Promise<MemberRow | undefined> {
  const text = `${members()} select * from members where account = $1 and id = $2`;
  const [found] = await reads.rows<MemberRow>(text, [account, id]);
  return found;
}

export async function findUserByEmail(reads: Reads, email: string): Promise<User | undefined> {
  const [user] = await reads.rows<User>(`select ${columns} from users where email = $1`, [email]);
  return user;
}

export async function findUser(reads: Reads, id: string): Promise<User | undefined> {
  const [user] = await reads.rows<User>(`select ${columns} from users where id = $1`, [id]);
  return user;
}
