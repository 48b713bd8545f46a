import { newId } from '../../../base/id.ts';
import { networkOf } from '../../../base/ip_range.ts';
import type { Keyring } from '../../../base/keyring.ts';
import { installation, type VisitorCaller } from '../../../operations/caller.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import { operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/services.ts';
import { auditWrites } from '../audit_log/audit.ts';
import { apiError } from '../sessions/errors.ts';
import { dropResetRequest, requestsTable } from '../sessions/mail_requests.ts';
import { usersTriedMax } from '../sessions/operations.ts';
import { addLink, findMemberAccounts } from '../sessions/store.ts';
import { findUsersToTry } from '../users/store.ts';
import { normalEmail, type User } from '../users/user.ts';
import { newResetLink, resetMail } from './reset.ts';
import { ForgottenInput, ForgottenOutput } from './schema.ts';

const linkMinutes = 60;
const perEmailMax = 3;
const perNetworkMax = 10;

type ForgottenAsk = { email: string; address: string };

const contextOf = (id: string) => `reset request ${id}`;

/**
 * Whether there is such a user is looked up by the job alone: the answer, and the time that it takes, cannot depend on it.
 */
export const forgotten = operation({
  home: 'directory',
  callers: ['visitor'],
  name: 'me.request_reset',
  summary: 'Ask for a link to choose a new password',
  description:
    'If the email has a user, a link is mailed to it, which works once, within an hour. The answer does not say whether it has. An email that several users have gets a mail for each.',
  route: 'POST /me/forgotten_password',
  isPersonal: true,
  ignoresKey: true,
  input: ForgottenInput,
  output: ForgottenOutput,
  errors: apiError.codes('mail_not_set_up', 'mail_limit'),
  async run({ mail, signIns, caller, keyring, now }, { email: sent }) {
    if (!mail.isDelivered) throw apiError('mail_not_set_up', {});
    const { address } = caller as VisitorCaller;
    const email = normalEmail(sent);
    await signIns.mails.count({ kind: 'reset from', of: networkOf(address), max: perNetworkMax });
    await signIns.mails.count({ kind: 'reset of', of: email, max: perEmailMax });
    const id = newId('rst', now);
    const request = sealed(keyring, id, { email, address });
    await signIns.mails.keep({ id, request, due_at: new Date(now) });
    return { result: { object: 'reset_request' }, due: now };
  },
});

function sealed(keyring: Keyring, id: string, asked: ForgottenAsk): Buffer {
  return keyring.seal('mail', contextOf(id), Buffer.from(JSON.stringify(asked)));
}

/** Mails a link to each user of the email that somebody has asked for. */
export function mailResetLinks(services: Services): Job {
  return dueRows(services, 'links for new passwords', requestsTable, async (row) => {
    const { keyring, reads, clock, committer, onDue } = services;
    const opened = keyring.unseal('mail', contextOf(row.id), row.request);
    const { email, address } = JSON.parse(opened.toString()) as ForgottenAsk;
    const network = networkOf(address);
    const users = await findUsersToTry(reads, email, { account: undefined, network, max: usersTriedMax });
    const links = await Promise.all(users.map((user) => linkWrites(services, user, { address, users })));
    await committer.commit({ writes: [dropResetRequest(row), ...links.flat()] });
    if (links.length > 0) onDue(clock.now());
  });
}

async function linkWrites(services: Services, user: User, { address, users }: { address: string; users: User[] }) {
  const now = services.clock.now();
  const { reads, keyring, publicUrl, mailToPerson } = services;
  const expires_at = new Date(now + linkMinutes * 60_000);
  const made = newResetLink({ keyring, now, publicUrl }, user, { clears_totp: false, mailed: true, expires_at });
  const accounts = await findMemberAccounts(reads, user.id);
  const names = users.length > 1 ? accounts.map(({ name }) => name) : [];
  const mail = { ...resetMail(user, made, { asked_from: address, accounts: names }), tenant: installation };
  const entry = { action: 'user.reset_link_mailed', subject: user.id, user: user.id, details: {} };
  const caller = { kind: 'visitor', tenant: installation, mode: 'live', address, browser: null } as const;
  const call = { operation: forgotten, caller, requestId: null };
  const audit = auditWrites(call, { audit: [{ ...entry, accounts: accounts.map(({ id }) => id) }] }, now);
  return [addLink(made.link), ...mailToPerson(mail), ...audit];
}
