import { assert } from '../../base/errors.ts';
import { createdSeconds, newId } from '../../base/id.ts';
import type { Secret } from '../../base/secret.ts';
import type { Caller, PersonCaller, VisitorCaller } from '../caller.ts';
import { type Context, type Outcome, operation } from '../operation.ts';
import { timestampOf } from '../shapes.ts';
import { isPassword } from '../users/password.ts';
import { findUser, findUserByEmail } from '../users/store.ts';
import { normalEmail, type User, type UserId } from '../users/user.ts';
import { refusal } from './errors.ts';
import { EndedOutput, LinkOutput, SessionOutput, SignInInput } from './schema.ts';
import {
  csrfTokenOf,
  looksLikeToken,
  type MemberAccount,
  newToken,
  type Session,
  type SignedIn,
  sessionDaysMax,
  tokenHash,
} from './session.ts';
import { addLink, addSession, dropLink, endSession, findLink, findMemberAccounts, findOpenSessions } from './store.ts';

const dayMs = 86_400_000;

const create = operation({
  callers: ['visitor'],
  name: 'sessions.create',
  summary: 'Sign in',
  description:
    'Sets the cookie of the session. With an authenticator set up, a right password without a code is answered with `code_required`.',
  route: 'POST /sessions',
  isPersonal: true,
  ignoresKey: true,
  input: SignInInput,
  output: SessionOutput,
  errors: refusal.codes(
    'sign_in_failed',
    'code_required',
    'sign_in_locked',
    'parameter_missing',
    'parameters_exclusive',
  ),
  check({ email, password, link }) {
    if (link !== undefined && email !== undefined)
      throw refusal('parameters_exclusive', { param: 'link', other: 'email' });
    if (link === undefined && email === undefined) throw refusal('parameter_missing', { param: 'email' });
    if (link === undefined && password === undefined) throw refusal('parameter_missing', { param: 'password' });
  },
  async run(context, { email, password, link }) {
    const caller = context.caller as VisitorCaller;
    if (link !== undefined) return signInByLink(context, caller, link);
    const tried = { email: normalEmail(email!), address: caller.address };
    await context.signIns.count(tried);
    const user = await findUserByEmail(context.reads, tried.email);
    if (!(await isPassword(password!, user?.password))) throw refusal('sign_in_failed', {});
    await context.signIns.succeeded(tried, user!.id);
    return begin(context, caller, user!, { how: 'password' });
  },
});

/** The link is used up with the session that it begins. */
async function signInByLink(context: Context, caller: VisitorCaller, token: Secret): Promise<Outcome> {
  const { reads, keyring } = context;
  const hash = tokenHash(keyring, token.open());
  const link = looksLikeToken(token.open()) ? await findLink(reads, hash) : undefined;
  const user = link && (await findUser(reads, link.user_id));
  if (user === undefined) throw refusal('sign_in_failed', {});
  const begun = await begin(context, caller, user, { how: 'link' });
  return { ...begun, writes: [...begun.writes!, dropLink(hash)] };
}

/** Every sign-in begins a new session, whatever cookie the browser had: nobody can be given a session by somebody else. */
async function begin(context: Context, caller: VisitorCaller, user: User, details: object): Promise<Outcome> {
  const { keyring, now, reads } = context;
  const token = newToken();
  const session: Session = {
    id: newId('ses', now),
    version: 1,
    hash: tokenHash(keyring, token.open()),
    user_id: user.id,
    address: caller.address,
    browser: caller.browser,
    expires_at: new Date(now + sessionDaysMax * dayMs),
    ended_at: null,
  };
  const person: SignedIn = {
    session: session.id,
    user: user.id,
    email: user.email,
    totpEnabled: user.totp_secret !== null,
    expiresAt: session.expires_at.getTime(),
    accounts: await findMemberAccounts(reads, user.id),
    csrfToken: csrfTokenOf(keyring, token.open()),
  };
  return {
    result: presentSession(person),
    objectId: session.id,
    writes: [addSession(session)],
    audit: [{ action: 'session.created', subject: session.id, user: user.id, actor: user.email, details }],
    session: token,
  };
}

export function presentSession({ session, user, email, totpEnabled, expiresAt, accounts, csrfToken }: SignedIn) {
  return {
    id: session,
    object: 'session',
    user: { id: user, object: 'user', email, totp_enabled: totpEnabled, created: createdSeconds(user) },
    accounts: accounts.map(presentMember),
    csrf_token: csrfToken,
    expires_at: Math.floor(expiresAt / 1_000),
  };
}

function presentMember({ id, name, status, role }: MemberAccount) {
  return { id, name, status, role };
}

export function personOf(caller: Caller): SignedIn {
  assert(caller.kind === 'person', 'the operation serves persons alone');
  return caller.person;
}

const personal = { callers: ['person'], right: 'read', isPersonal: true, ignoresKey: true } as const;

const current = operation({
  ...personal,
  name: 'sessions.current',
  summary: 'Retrieve the current session',
  description: 'The answer is that of the sign-in. The dashboard asks for it when its page is loaded anew.',
  route: 'GET /sessions/current',
  output: SessionOutput,
  async run({ caller }) {
    return { result: presentSession(personOf(caller)), objectId: personOf(caller).session };
  },
});

const signOut = operation({
  ...personal,
  name: 'sessions.end',
  summary: 'Sign out',
  description: 'The session of the cookie ends at once, and the cookie is removed.',
  route: 'DELETE /sessions/current',
  output: EndedOutput,
  run: (context) => endThose(context, personOf(context.caller), (context.caller as PersonCaller).person.session),
});

const signOutEverywhere = operation({
  ...personal,
  name: 'sessions.end_all',
  summary: 'Sign out everywhere',
  description: 'Every session of the user ends, this one included.',
  route: 'DELETE /sessions',
  output: EndedOutput,
  run: (context) => endThose(context, personOf(context.caller), null),
});

async function endThose({ reads, now }: Context, { user }: SignedIn, id: Session['id'] | null): Promise<Outcome> {
  const open = await findOpenSessions(reads, user as UserId, id);
  return {
    result: { object: 'sessions_ended', count: open.length },
    writes: open.map((session) => endSession(session, now)),
    audit: open.map((session) => ({ action: 'session.ended', subject: session.id, details: {} })),
    session: null,
  };
}

const linkMinutes = 15;

/** For the person who starts a development server, and reads its output. Nothing in production calls it. */
const createLink = operation({
  callers: ['operator'],
  name: 'sessions.create_link',
  summary: 'Make a link by which a user can sign in once',
  route: 'POST /users/:id/sign_in_link',
  output: LinkOutput,
  async run({ id, reads, keyring, now }) {
    const user = await findUser(reads, id);
    if (user === undefined) throw refusal('resource_missing', { param: 'id', resource: 'user' });
    const token = newToken().open();
    const expires_at = new Date(now + linkMinutes * 60_000);
    return {
      result: { object: 'sign_in_link', token, expires_at: timestampOf(expires_at) },
      writes: [addLink({ hash: tokenHash(keyring, token), user_id: user.id, expires_at })],
      audit: [{ action: 'session.link_created', subject: user.id, details: {} }],
      confidential: true,
    };
  },
});

export const sessionOperations = [createLink, create, current, signOut, signOutEverywhere];
