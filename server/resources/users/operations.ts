import { assert } from '../../base/errors.ts';
import { newId } from '../../base/id.ts';
import { Type } from '../../base/schema.ts';
import { operation } from '../operation.ts';
import { type Role, roles } from '../role.ts';
import { Parameters } from '../shapes.ts';
import { hashPassword, isPassword } from './password.ts';
import { Email, Password, UserOutput } from './schema.ts';
import { addMembership, addUser, findUserByEmail, replaceUser } from './store.ts';
import { normalEmail, presentUser, type User } from './user.ts';

/** For the owner of a development server, who has no invitation. */
const create = operation({
  callers: ['operator'],
  name: 'users.create',
  summary: 'Create a user with a password, or give a user that exists a new one',
  route: 'POST /users',
  input: Parameters({
    email: Email,
    password: Password('The password.'),
    role: Type.Unsafe<Role>(Type.String({ enum: [...roles], description: 'What the user may do in the account.' })),
  }),
  output: UserOutput,
  async run({ reads, now, caller }, { email, password, role }) {
    assert(caller.kind === 'operator' && caller.account !== null, 'a user is created in an account');
    const found = await findUserByEmail(reads, normalEmail(email));
    if (found !== undefined && (await isPassword(password, found.password)))
      return { result: presentUser(found), objectId: found.id };
    const hash = await hashPassword(password);
    const user: User = {
      ...(found ?? { id: newId('usr', now), email: normalEmail(email), totp_secret: null, totp_step: null }),
      version: (found?.version ?? 0) + 1,
      password: hash,
    };
    const membership = { account: caller.account, user_id: user.id, version: 1, role };
    return {
      result: presentUser(user),
      objectId: user.id,
      writes: found === undefined ? [addUser(user), addMembership(membership)] : [replaceUser(user)],
      audit: [{ action: 'user.created', subject: user.id, details: { role } }],
    };
  },
});

export const userOperations = [create];
