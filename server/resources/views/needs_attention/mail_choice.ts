import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { Type } from '../../../base/schema.ts';
import type { PersonCaller } from '../../../operations/caller.ts';
import { sharedErrors } from '../../../operations/errors.ts';
import { operation } from '../../../operations/operation.ts';
import { ObjectKind, OneOf, Parameters } from '../../../operations/schemas.ts';
import { restedAt } from './mails.ts';
import { type AttentionReader, type Frequency, findReader, frequencies, saveReader } from './store.ts';

export const attentionErrors = {
  email_not_verified: invalid(
    'Your email is not verified, so nothing about the account is mailed to it.',
    'Verify it in your profile, with a code by mail (`POST /v1/me/email_code`), or ask the operator of the gateway.',
  ),
} as const satisfies ErrorRows;

const apiError = apiErrorsOf({ ...sharedErrors, ...attentionErrors });

const about = [
  '`off`: no mails.',
  '`daily`: one mail a day at most, with all that is new.',
  '`at_once`: a mail within two minutes, and ten minutes later at the earliest the next one.',
].join(' ');

const AttentionMailOutput = Type.Object(
  { object: ObjectKind('attention_mail'), frequency: OneOf(frequencies, about) },
  { title: 'AttentionMail', description: 'How often you get mails about what needs attention.' },
);

const own = { callers: ['person'], right: 'read', output: AttentionMailOutput } as const;

const shown = (frequency: Frequency) => ({ object: 'attention_mail', frequency });

const retrieve = operation({
  ...own,
  name: 'needs_attention.retrieve_mail',
  summary: 'Retrieve your choice of mails',
  description: 'How often you get mails about what needs attention in this account and mode.',
  route: 'GET /needs_attention/mail',
  async run({ reads, tenant, caller }) {
    const { user } = (caller as PersonCaller).person;
    return { result: shown((await findReader(reads, tenant, user))?.frequency ?? 'off') };
  },
});

const update = operation({
  ...own,
  name: 'needs_attention.update_mail',
  summary: 'Choose how often you get mails',
  description:
    'About what needs attention in this account and mode, and what your role can resolve. Nobody else can choose it for you. Each item is mailed to you once; one that comes back after a day is mailed again. The first mail has what waits already.',
  route: 'POST /needs_attention/mail',
  input: Parameters({ frequency: Type.Unsafe<Frequency>(Type.String({ enum: [...frequencies], description: about })) }),
  errors: apiError.codes('email_not_verified'),
  async run({ reads, tenant, caller, now }, { frequency }) {
    const { user, emailVerified } = (caller as PersonCaller).person;
    const before = await findReader(reads, tenant, user);
    if (frequency !== 'off' && !emailVerified) throw apiError('email_not_verified', {});
    const outcome = { result: shown(frequency), objectId: user };
    if (frequency === (before?.frequency ?? 'off')) return outcome;
    const audit = [{ action: 'user.attention_mail_changed', subject: user, details: { frequency } }];
    const row = before ?? { ...unwritten, tenant, id: user };
    const due_at = frequency === 'off' ? null : new Date(Math.max(now, restedAt(row, frequency)));
    const after = { ...row, version: row.version + 1, frequency, due_at, lease_until: null };
    return { ...outcome, writes: [saveReader(after)], audit, ...(due_at && { due: due_at.getTime() }) };
  },
});

const unwritten = { version: 0, told: {}, mailed_at: null } satisfies Partial<AttentionReader>;

export const mailChoiceOperations = [retrieve, update];
