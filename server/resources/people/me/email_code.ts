import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../../base/keyring.ts';
import { installation, type PersonCaller } from '../../../operations/caller.ts';
import { type DirectoryOutcome, operation } from '../../../operations/operation.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { apiError } from '../sessions/errors.ts';
import { personOf } from '../sessions/operations.ts';
import type { User } from '../users/user.ts';
import { provenEmail } from '../users/verify.ts';
import { emailCodeMessage } from './email_code_message.ts';
import { ownUser } from './proof.ts';
import { EmailCodeInput, EmailCodeOutput, MeOutput } from './schema.ts';
import { serializeMe } from './serialize.ts';
import { dropEmailCode, type EmailCode, findEmailCode, saveEmailCode } from './store.ts';

const codeMinutes = 15;
const triesMax = 5;
const codesPerHour = 5;
const codeChars = 6;

/** Without those that look like others. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

const newCode = () => Array.from({ length: codeChars }, () => alphabet[randomInt(alphabet.length)]).join('');

function hashOf(keyring: Keyring, { id }: User, typed: string): Buffer {
  const code = typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  return keyring.hmac('mail', `email code ${id} ${code}`);
}

const own = { home: 'directory', callers: ['person'], right: 'read', isPersonal: true } as const;

/**
 * A code, and no link: a user who had claimed the email of somebody else could get a link opened by its owner. A code is of use only to the
 * session that has asked for it.
 */
const send = operation({
  ...own,
  ignoresKey: true,
  name: 'me.send_email_code',
  summary: 'Mail a code that verifies your email',
  description: `The code works for ${codeMinutes} minutes, for you alone. A code from an earlier mail stops working.`,
  route: 'POST /me/email_code',
  output: EmailCodeOutput,
  errors: apiError.codes('mail_not_set_up', 'mail_limit', 'email_verified'),
  async run(context) {
    const { mail, signIns, reads, keyring, now } = context;
    if (!mail.isDelivered) throw apiError('mail_not_set_up', {});
    if (personOf(context.caller).emailVerified) throw apiError('email_verified', {});
    const user = await ownUser(context);
    const before = await findEmailCode(reads, user.id);
    await signIns.mails.count({ kind: 'code', of: user.email, max: codesPerHour });
    const code = newCode();
    const expires_at = new Date(now + codeMinutes * 60_000);
    const hash = hashOf(keyring, user, code);
    const row = { user_id: user.id, version: (before?.version ?? 0) + 1, hash, tries: 0, expires_at };
    const url = `${context.publicUrl()}/dashboard/settings/profile`;
    const message = emailCodeMessage({ code, expires_at: timestampOf(expires_at), url });
    const cause = `${user.id}/${now}/${row.version}`;
    const about = { tenant: installation, kind: 'email_code', cause, to: user.email } as const;
    return {
      result: { object: 'email_code', email: user.email, expires_at: timestampOf(expires_at) },
      objectId: user.id,
      writes: [saveEmailCode(row), ...context.mailToPerson({ ...about, message })],
      audit: [{ action: 'user.email_code_mailed', subject: user.id, details: {} }],
      due: now,
    };
  },
});

const verify = operation({
  ...own,
  ignoresKey: true,
  name: 'me.verify_email',
  summary: 'Verify your email with a mailed code',
  description: `From then on you can accept invitations of other accounts as this user. After ${triesMax} wrong ones a code stops working.`,
  route: 'POST /me/verify_email',
  input: EmailCodeInput,
  output: MeOutput,
  errors: apiError.codes('parameter_invalid'),
  async run(context, { code }): Promise<DirectoryOutcome> {
    const caller = context.caller as PersonCaller;
    const user = await ownUser(context);
    const outcome = { result: serializeMe(user, caller), objectId: user.id };
    if (caller.person.emailVerified) return outcome;
    const row = await findEmailCode(context.reads, user.id);
    if (row === undefined || row.tries >= triesMax || row.expires_at.getTime() <= context.now)
      throw refused('there is no code of yours that works; ask for another mail');
    if (!timingSafeEqual(row.hash, hashOf(context.keyring, user, code.open()))) return wrong(outcome, row);
    const proof = await provenEmail(context, user);
    if (proof === undefined)
      throw refused('it is right, but the email is verified for another user; ask the operator of this gateway');
    const person = { ...caller.person, emailVerified: true };
    return {
      ...outcome,
      result: serializeMe(user, { ...caller, person }),
      writes: [dropEmailCode(row), ...proof.writes],
      audit: proof.audit,
    };
  },
});

const refused = (reason: string) => apiError('parameter_invalid', { param: 'code', reason });

/** The try is counted in the commit of its refusal, so that many at the same moment are no more than the limit. */
function wrong(outcome: DirectoryOutcome, row: EmailCode): DirectoryOutcome {
  const left = triesMax - row.tries - 1;
  return {
    ...outcome,
    error: refused(
      left === 0 ? 'it is wrong; ask for another mail' : `it is wrong; ${left} more ${left === 1 ? 'try' : 'tries'}`,
    ),
    writes: [saveEmailCode({ ...row, version: row.version + 1, tries: row.tries + 1 })],
    audit: [{ action: 'user.email_code_refused', subject: row.user_id, details: {} }],
  };
}

export const emailCodeOperations = [send, verify];
