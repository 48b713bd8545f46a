import { insert, type Table, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads } from '../../base/reads.ts';
import type { Membership, User } from './user.ts';

const usersTable: Table<User> = table('users', {
  text: 'id email password',
  int4: 'version',
  bytea: 'totp_secret',
  int8: 'totp_step',
  key: ['id'],
});

const membershipsTable: Table<Membership> = table('memberships', {
  text: 'account user_id role',
  int4: 'version',
  key: ['account', 'user_id'],
});

const columns = usersTable.columns.join(', ');

export const addUser = (user: User): Write => insert(usersTable, user);
export const replaceUser = (user: User): Write => update(usersTable, user);
export const addMembership = (membership: Membership): Write => insert(membershipsTable, membership);

export async function findUserByEmail(reads: Reads, email: string): Promise<User | undefined> {
  const [user] = await reads.rows<User>(`select ${columns} from users where email = $1`, [email]);
  return user;
}

export async function findUser(reads: Reads, id: string): Promise<User | undefined> {
  const [user] = await reads.rows<User>(`select ${columns} from users where id = $1`, [id]);
  return user;
}
