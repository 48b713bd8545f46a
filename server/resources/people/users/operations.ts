import { newId } from '../../../base/id.ts';
import type { Secret } from '../../../base/secret.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { accountOf, memberOperations } from './members.ts';
import { checkChosenPassword, hashPassword, isPassword, saltOf } from './password.ts';
import { Email, NewPassword, NewUserOutput, RoleParameter } from './schema.ts';
import { addMembership, addUser, findUsersByEmail, readMembers, replaceUser } from './store.ts';
import { type KnownUser, normalEmail, type User } from './user.ts';
import { userOf, verifiedFor, verifyOperations } from './verify.ts';

/** For the owner of a development server, who has no invitation. A password that the user has chosen since is kept. */
const create = operation({
  home: 'directory',
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
    const [found] = await findUsersByEmail(reads, normalEmail(email));
    if (found !== undefined) return givenAgain(context, found, password);
    const user = await newUser(context, { email: normalEmail(email), password });
    const membership = { account, user_id: user.id, version: 1, role };
    return {
      result: serializeNew(user, true),
      objectId: user.id,
      writes: [addUser(user), verifiedFor(user, now), ...addMembership(membership, await readMembers(reads, account))],
      audit: [{ action: 'user.created', subject: user.id, details: { role } }],
    };
  },
});

/** The password that the last start has written down may be lost, but not one that the user has chosen. */
async function givenAgain({ keyring }: Context, user: KnownUser, password: Secret) {
  const isSame = await isPassword(password, user.password);
  if (isSame || user.generation > 0) return { result: serializeNew(user, isSame), objectId: user.id };
  const after = { ...userOf(user), password: await hashPassword(password, saltOf(user.email, keyring, user.password)) };
  return {
    result: serializeNew(after, true),
    objectId: user.id,
    writes: [replaceUser(after)],
    audit: [{ action: 'user.password_replaced', subject: user.id, details: {} }],
  };
}

function serializeNew({ id, email }: User, has_password: boolean) {
  return { id, object: 'user', email, has_password };
}

type NewUser = {
  email: string;
  password: Secret;
  /** Another user of the email, if there is one: all have one salt. */
  other?: Pick<User, 'password'> | undefined;
  home?: string;
};

export async function newUser({ keyring, now }: Context, { email, password, other, home }: NewUser): Promise<User> {
  return {
    id: newId('usr', now),
    version: 1,
    email,
    password: await hashPassword(password, saltOf(email, keyring, other?.password)),
    home_account: home ?? null,
    totp_secret: null,
    totp_step: null,
    recovery_codes: [],
    generation: 0,
  };
}

export const userOperations = [create, ...verifyOperations, ...memberOperations];
