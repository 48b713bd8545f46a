import { newId } from '../../base/id.ts';
import type { Secret } from '../../base/secret.ts';
import { operation } from '../operation.ts';
import { Parameters } from '../shapes.ts';
import { accountOf, memberOperations } from './members.ts';
import { checkChosenPassword, hashPassword, isPassword } from './password.ts';
import { Email, NewPassword, NewUserOutput, RoleParameter } from './schema.ts';
import { addMembership, addUser, findUserByEmail, readMembers, replaceUser } from './store.ts';
import { normalEmail, type User, type UserId } from './user.ts';

/** For the owner of a development server, who has no invitation. A password that the user has chosen since is kept. */
const create = operation({
  callers: ['operator'],
  name: 'users.create',
  summary: 'Create a user with a password',
  route: 'POST /users',
  input: Parameters({ email: Email, password: NewPassword, role: RoleParameter }),
  output: NewUserOutput,
  check: ({ password }) => checkChosenPassword(password, 'password'),
  async run(context, { email, password, role }) {
    const account = accountOf(context);
    const { reads, now } = context;
    const found = await findUserByEmail(reads, normalEmail(email));
    if (found !== undefined) return givenAgain(found, password);
    const user = await newUser(newId('usr', now), email, password);
    const membership = { account, user_id: user.id, version: 1, role };
    return {
      result: presentNew(user, true),
      objectId: user.id,
      writes: [addUser(user), ...addMembership(membership, await readMembers(reads, account))],
      audit: [{ action: 'user.created', subject: user.id, details: { role } }],
    };
  },
});

/** The password that the last start has written down may be lost, but not one that the user has chosen. */
async function givenAgain(user: User, password: Secret) {
  const isSame = await isPassword(password, user.password);
  if (isSame || user.generation > 0) return { result: presentNew(user, isSame), objectId: user.id };
  const after = { ...user, password: await hashPassword(password) };
  return {
    result: presentNew(after, true),
    objectId: user.id,
    writes: [replaceUser(after)],
    audit: [{ action: 'user.password_replaced', subject: user.id, details: {} }],
  };
}

function presentNew({ id, email }: User, has_password: boolean) {
  return { id, object: 'user', email, has_password };
}

export async function newUser(id: UserId, email: string, password: Secret): Promise<User> {
  return {
    id,
    version: 1,
    email: normalEmail(email),
    password: await hashPassword(password),
    totp_secret: null,
    totp_step: null,
    recovery_codes: [],
    generation: 0,
  };
}

export const userOperations = [create, ...memberOperations];
