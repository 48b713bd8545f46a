import type { DirectoryWrite } from '../../../base/commit/index.ts';
import { ApiError, assert } from '../../../base/errors.ts';
import { createdSeconds, newId } from '../../../base/id.ts';
import { networkOf } from '../../../base/ip_range.ts';
import type { Secret } from '../../../base/secret.ts';
import type { Caller, MemberAccount, PersonCaller, SignedIn, VisitorCaller } from '../../../operations/caller.ts';
import { type Context, type DirectoryOutcome, operation } from '../../../operations/operation.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { createStrangerTurns, knownTurns } from '../users/hash_turns.ts';
import { matchPasswords } from '../users/password.ts';
import { spendCode } from '../users/second_factor.ts';
import { findUser, findUsersToTry, findVerifiedEmail, replaceUser } from '../users/store.ts';
import { normalEmail, type User, type UserId } from '../users/user.ts';
import { apiError } from './errors.ts';
import type { SignInTry } from './guesses.ts';
import { networkWrites } from './networks.ts';
import { EndedOutput, LinkOutput, SessionOutput, SignInInput } from './schema.ts';
import { csrfTokenOf, looksLikeToken, newToken, type Session, sessionDaysMax, tokenHash } from './session.ts';
import {
  addLink,
  addSession,
  dropLink,
  endSession,
  findKnownHere,
  findLink,
  findLinkEnd,
  findMemberAccounts,
  findOpenSessions,
  type SignInLink,
} from './store.ts';

const dayMs = 86_400_000;
const busySeconds = 5;
export const usersTriedMax = 5; // of one email

const create = operation({
  home: 'directory',
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
  errors: apiError.codes(
    'sign_in_failed',
    'code_required',
    'sign_in_locked',
    'sign_in_busy',
    'parameter_missing',
    'parameters_exclusive',
  ),
  check({ email, password, link }) {
    if (link !== undefined && email !== undefined)
      throw apiError('parameters_exclusive', { param: 'link', other: 'email' });
    if (link === undefined && email === undefined) throw apiError('parameter_missing', { param: 'email' });
    if (link === undefined && password === undefined) throw apiError('parameter_missing', { param: 'password' });
  },
  async run(context, { email, password, code, link, account }) {
    if (link !== undefined) return signInByLink(context, link);
    const proof = { email: normalEmail(email!), password: password!, code, account };
    const { user, spent } = await provenUser(context, proof);
    const begun = await begin(context, user, { how: 'password' });
    return { ...begun, writes: [...begun.writes!, ...spent] };
  },
});

type Proof = { email: string; password: Secret; code: Secret | undefined; account: string | undefined };

/**
 * The user who has this password and, with an authenticator, this code. A try is counted before anything is checked. A code is used up in the
 * commit of the session: of two who use one code at the same moment, one succeeds.
 */
async function provenUser(
  context: Context,
  { email, password, code, account }: Proof,
): Promise<{ user: User; spent: DirectoryWrite[] }> {
  const { signIns, reads } = context;
  const { address } = context.caller as VisitorCaller;
  const users = await findUsersToTry(reads, email, { account, network: networkOf(address), max: usersTriedMax });
  const tried = { email, address, users: users.map(({ id }) => id) };
  const user = await inTurn(context, users, async () => {
    const open = await countTry(context, tried, users);
    const areRight = await matchPasswords(
      password,
      open.map((one) => one.password),
    );
    return open.find((_, at) => areRight[at]);
  });
  if (user === undefined) throw failed(context, users);
  if (user.totp_secret !== null && code === undefined) {
    await signIns.uncount(tried);
    throw apiError('code_required', { param: 'code' });
  }
  const proven = user.totp_secret === null ? user : await tryCode(context, user, code!);
  if (proven === undefined) throw failed(context, [user]);
  await signIns.succeeded(tried);
  return { user: proven, spent: proven === user ? [] : [replaceUser(proven)] };
}

const strangerTurns = createStrangerTurns(() =>
  apiError('sign_in_busy', { seconds: busySeconds, headers: { 'Retry-After': String(busySeconds) } }),
);

/** However many strangers try, a user signs in from a network where they have signed in before. A try that gets no turn is not counted. */
async function inTurn<T>({ reads, caller }: Context, users: readonly User[], work: () => Promise<T>): Promise<T> {
  const network = networkOf((caller as VisitorCaller).address);
  const ids = users.map(({ id }) => id);
  const known = await findKnownHere(reads, ids, network);
  return known === undefined ? strangerTurns.run(network, work) : knownTurns.run(known, work);
}

/** Refuses and records a try for an email that is locked. Returns the users who are not. */
export async function countTry(context: Context, tried: SignInTry, users: readonly User[]): Promise<User[]> {
  const open = await recordingRefusal(context, users, () => context.signIns.count(tried));
  return users.filter(({ id }) => open.has(id));
}

async function recordingRefusal<T>(context: Context, users: readonly User[], count: () => Promise<T>): Promise<T> {
  try {
    return await count();
  } catch (error) {
    if (error instanceof ApiError) recordRefused(context, error.code, users);
    throw error;
  }
}

/** The user after this code was used; undefined for a wrong one. Refused if the user's tries of this hour are used up. */
export async function tryCode(context: Context, user: User, code: Secret): Promise<User | undefined> {
  const { codes } = context.signIns;
  await recordingRefusal(context, [user], () => codes.count(user.id));
  const after = spendCode(user, code, context);
  if (after !== undefined) await codes.uncount(user.id);
  return after;
}

function failed(context: Context, users: readonly User[]): ApiError {
  recordRefused(context, 'sign_in_failed', users);
  return apiError('sign_in_failed', {});
}

/** An email that nobody has is not written down: it may be a password that was typed in the wrong place. */
export function recordRefused(
  { caller, refusedActs, requestId }: Context,
  action: string,
  users: readonly User[],
): void {
  const { address } = caller as VisitorCaller | PersonCaller;
  const act = { action, address, requestId, details: {} };
  if (users.length === 0) refusedActs.add({ ...act, actor: 'visitor' });
  for (const { id, email } of users) refusedActs.add({ ...act, actor: email, user: id });
}

/** The link is used up with the session that it begins. */
async function signInByLink(context: Context, token: Secret): Promise<DirectoryOutcome> {
  const { reads } = context;
  const link = await linkOf(context, token, 'sign_in');
  const user = link && (await findUser(reads, link.user_id));
  if (user === undefined) throw failed(context, []).saying(await whyUnusable(context, token));
  const begun = await begin(context, user, { how: 'link' });
  return { ...begun, writes: [...begun.writes!, dropLink(link!)] };
}

/** Revealed to the holder of the token, which cannot be guessed. */
async function whyUnusable({ reads, keyring }: Context, token: Secret): Promise<string> {
  const ended = await findLinkEnd(reads, tokenHash(keyring, token.open()), 'sign_in');
  const reason =
    ended === undefined
      ? 'This sign-in link was used before, or it is not complete. A link works once'
      : `This sign-in link expired at ${ended.toISOString().slice(0, 19)}Z. A link works for ${linkMinutes} minutes`;
  return `${reason}. To get a new one, run "npx tollgate dashboard" where the server runs.`;
}

export async function linkOf(
  { reads, keyring }: Context,
  token: Secret,
  purpose: SignInLink['purpose'],
): Promise<SignInLink | undefined> {
  return looksLikeToken(token.open()) ? findLink(reads, tokenHash(keyring, token.open()), purpose) : undefined;
}

/** What the same commit changes. */
type Beginning = {
  /** Accounts that the user joins. */
  joined?: readonly MemberAccount[];
  isVerified?: boolean;
};

/**
 * Every sign-in begins a new session, whatever cookie the browser had: nobody can be given a session by somebody else.
 */
export async function begin(
  context: Context,
  user: User,
  details: object,
  { joined = [], isVerified }: Beginning = {},
): Promise<DirectoryOutcome> {
  const { keyring, now, reads } = context;
  const caller = context.caller as VisitorCaller;
  const accounts = [...(await findMemberAccounts(reads, user.id)), ...joined];
  const emailVerified = isVerified ?? (await findVerifiedEmail(reads, user.email))?.user_id === user.id;
  const token = newToken();
  const session: Session = {
    id: newId('ses', now),
    version: 1,
    hash: tokenHash(keyring, token.open()),
    user_id: user.id,
    address: caller.address,
    browser: caller.browser,
    generation: user.generation,
    expires_at: new Date(now + sessionDaysMax * dayMs),
    ended_at: null,
  };
  const person: SignedIn = {
    session: session.id,
    user: user.id,
    email: user.email,
    emailVerified,
    totpEnabled: user.totp_secret !== null,
    expiresAt: session.expires_at.getTime(),
    accounts,
    csrfToken: csrfTokenOf(keyring, token.open()),
  };
  return {
    result: serializeSession(person),
    objectId: session.id,
    writes: [addSession(session), ...(await networkWrites(context, user, session))],
    audit: [
      {
        action: 'session.created',
        subject: session.id,
        user: user.id,
        actor: user.email,
        accounts: accounts.map(({ id }) => id),
        details,
      },
    ],
    session: token,
  };
}

export function serializeSession(person: SignedIn) {
  const { session, user, email, emailVerified, totpEnabled, expiresAt, accounts, csrfToken } = person;
  return {
    id: session,
    object: 'session',
    user: {
      id: user,
      object: 'user',
      email,
      email_verified: emailVerified,
      totp_enabled: totpEnabled,
      created: createdSeconds(user),
    },
    accounts: accounts.map(serializeMember),
    csrf_token: csrfToken,
    expires_at: Math.floor(expiresAt / 1_000),
  };
}

function serializeMember({ id, name, status, role, totp_required }: MemberAccount) {
  return { id, name, status, role, ...(totp_required && { totp_required }) };
}

export function personOf(caller: Caller): SignedIn {
  assert(caller.kind === 'person', 'the operation serves persons alone');
  return caller.person;
}

const personal = { home: 'directory', callers: ['person'], right: 'read', isPersonal: true, ignoresKey: true } as const;

const current = operation({
  ...personal,
  name: 'sessions.current',
  summary: 'Retrieve the current session',
  description: 'The answer is that of the sign-in. The dashboard asks for it when its page is loaded anew.',
  route: 'GET /sessions/current',
  output: SessionOutput,
  async run({ caller }) {
    return { result: serializeSession(personOf(caller)), objectId: personOf(caller).session };
  },
});

const signOut = operation({
  ...personal,
  name: 'sessions.end',
  summary: 'Sign out',
  description: 'The session of the cookie ends immediately, and the cookie is removed.',
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

export async function endThose(
  { reads, now }: Context,
  { user }: SignedIn,
  id: Session['id'] | null,
): Promise<DirectoryOutcome> {
  const open = await findOpenSessions(reads, user as UserId, id);
  return {
    result: { object: 'sessions_ended', count: open.length },
    writes: open.map((session) => endSession(session, now)),
    audit: open.map((session) => ({ action: 'session.ended', subject: session.id, details: {} })),
    session: null,
  };
}

/** A link, and its token, of which only the hash is stored. */
export function newLink(
  { keyring, now }: Pick<Context, 'keyring' | 'now'>,
  facts: Omit<SignInLink, 'id' | 'hash' | 'version'>,
): { token: string; link: SignInLink } {
  const token = newToken().open();
  return { token, link: { ...facts, id: newId('lnk', now), hash: tokenHash(keyring, token), version: 1 } };
}

const linkMinutes = 15;

/** For the person who starts a development server, and reads its output. Nothing in production calls it. */
const createLink = operation({
  home: 'directory',
  callers: ['operator'],
  name: 'sessions.create_link',
  summary: 'Make a link by which a user can sign in once',
  route: 'POST /users/:id/sign_in_link',
  output: LinkOutput,
  async run(context) {
    const { id, reads, now } = context;
    const user = await findUser(reads, id);
    if (user === undefined) throw apiError('resource_missing', { param: 'id', resource: 'user' });
    const expires_at = new Date(now + linkMinutes * 60_000);
    const facts = { user_id: user.id, purpose: 'sign_in', clears_totp: false, mailed: false, expires_at } as const;
    const { token, link } = newLink(context, facts);
    return {
      result: { object: 'sign_in_link', token, expires_at: timestampOf(expires_at) },
      writes: [addLink(link)],
      audit: [{ action: 'session.link_created', subject: user.id, details: {} }],
    };
  },
});

export const sessionOperations = [createLink, create, current, signOut, signOutEverywhere];
