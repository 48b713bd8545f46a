import type { Secret } from '../../../base/secret.ts';
import type { VisitorCaller } from '../../../operations/caller.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { apiError } from '../sessions/errors.ts';
import { begin, countTry, linkOf, newLink, tryCode } from '../sessions/operations.ts';
import { SessionOutput } from '../sessions/schema.ts';
import { addLink, dropLink, findMemberAccounts, findResetLinks, type SignInLink } from '../sessions/store.ts';
import { checkChosenPassword, hashPassword, saltOf } from '../users/password.ts';
import { withoutAuthenticator } from '../users/second_factor.ts';
import { findUser, replaceUser } from '../users/store.ts';
import { type User, withPassword } from '../users/user.ts';
import { provenEmail, requireUser } from '../users/verify.ts';
import { wrong } from './proof.ts';
import { passwordResetMessage } from './reset_message.ts';
import { ResetInput, ResetLinkInput, ResetLinkOutput } from './schema.ts';

const linkHours = 24;

/** For somebody who has lost the password, or the authenticator with all recovery codes, and whom no owner can help. */
const createLink = operation({
  home: 'directory',
  callers: ['operator'],
  name: 'me.create_reset_link',
  summary: 'Make a link by which a user can choose a new password',
  route: 'POST /users/:id/reset_link',
  input: ResetLinkInput,
  output: ResetLinkOutput,
  async run(context, { clear_totp = false, link: isShown = false }) {
    const { id, reads, now, tenant } = context;
    const user = await requireUser(context, id);
    const mailed = context.mail.isDelivered && !isShown;
    const expires_at = new Date(now + linkHours * 3_600_000);
    const made = newResetLink(context, user, { clears_totp: clear_totp, mailed, expires_at });
    const accounts = (await findMemberAccounts(reads, user.id)).map((account) => account.id);
    const writes = mailed ? context.mailToPerson({ ...resetMail(user, made), tenant }) : [];
    return {
      result: {
        object: 'reset_link',
        email: user.email,
        ...(mailed ? { mailed } : { url: made.url }),
        expires_at: timestampOf(expires_at),
      },
      writes: [addLink(made.link), ...writes],
      audit: [{ action: 'user.reset_link_created', subject: user.id, accounts, details: { clear_totp, mailed } }],
    };
  },
});

type ResetFacts = Pick<SignInLink, 'clears_totp' | 'mailed' | 'expires_at'>;
type MailOfReset = Parameters<Context['mailToPerson']>[0];
type ResetLink = { link: SignInLink; url: string };

export function newResetLink(
  context: Pick<Context, 'keyring' | 'now' | 'publicUrl'>,
  { id }: User,
  facts: ResetFacts,
): ResetLink {
  const { token, link } = newLink(context, { user_id: id, purpose: 'reset', ...facts });
  return { link, url: `${context.publicUrl()}/dashboard#reset=${token}` };
}

/** `accounts`: the names of those that the user works in, where the email has several users. */
export function resetMail(
  { email }: User,
  { link, url }: ResetLink,
  { asked_from = null, accounts = [] }: { asked_from?: string | null; accounts?: readonly string[] } = {},
): Omit<MailOfReset, 'tenant'> {
  const { expires_at, clears_totp } = link;
  const message = passwordResetMessage({ expires_at: timestampOf(expires_at), clears_totp, asked_from, accounts, url });
  return { kind: 'password_reset', cause: link.id, to: email, message };
}

const reset = operation({
  home: 'directory',
  callers: ['visitor'],
  name: 'me.reset_password',
  summary: 'Choose a new password with a link',
  description:
    'For somebody who has a link to choose a new password. All sessions and other such links of the user end, and a new session begins. A link that was mailed verifies the email, unless it is verified for another user.',
  route: 'POST /me/reset',
  isPersonal: true,
  ignoresKey: true,
  input: ResetInput,
  output: SessionOutput,
  errors: apiError.codes('code_required', 'sign_in_locked', 'parameter_invalid'),
  check: ({ password }) => checkChosenPassword(password, 'password'),
  async run(context, { token, password, code }) {
    const link = await linkOf(context, token, 'reset');
    const user = link && (await findUser(context.reads, link.user_id));
    if (user === undefined) throw apiError('parameter_invalid', { param: 'token', reason: unusable });
    const freed = await freedOf(context, user, link!, code);
    const after = withPassword(freed, await hashPassword(password, saltOf(user.email, context.keyring, user.password)));
    const proof = link!.mailed ? await provenEmail(context, user) : undefined;
    const begun = await begin(context, after, { how: 'reset' }, proof && { isVerified: true });
    const links = await findResetLinks(context.reads, user.id);
    const { accounts = [], actor } = begun.audit![0]!;
    const entry = {
      action: 'user.password_reset',
      subject: user.id,
      user: user.id,
      actor: actor!,
      accounts,
      details: {},
    };
    return {
      ...begun,
      writes: [...begun.writes!, replaceUser(after), ...links.map(dropLink), ...(proof?.writes ?? [])],
      audit: [entry, ...(proof?.audit ?? []), ...begun.audit!],
    };
  },
});

const unusable = 'this link was used or has expired; ask for a new one, or ask the operator of this gateway';

/** An authenticator that is not lost is still asked for. */
async function freedOf(
  context: Context,
  user: User,
  { clears_totp }: SignInLink,
  code: Secret | undefined,
): Promise<User> {
  if (user.totp_secret === null) return user;
  if (clears_totp) return withoutAuthenticator(user);
  if (code === undefined) throw apiError('code_required', { param: 'code' });
  const tried = { email: user.email, address: (context.caller as VisitorCaller).address, users: [user.id] };
  await countTry(context, tried, [user]);
  const spent = await tryCode(context, user, code);
  if (spent === undefined) throw wrong(context, user, 'code', 'it is wrong, or it was used before');
  await context.signIns.uncount(tried);
  return spent;
}

export const resetOperations = [createLink, reset];
