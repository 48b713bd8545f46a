import type { Static } from 'typebox';
import { isId } from '../../../base/id.ts';
import type { PersonCaller } from '../../../operations/caller.ts';
import { pageOf } from '../../../operations/list.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { ListOf, listParameters, Parameters } from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { apiError } from '../sessions/errors.ts';
import { personOf } from '../sessions/operations.ts';
import { EndedOutput } from '../sessions/schema.ts';
import { endSession, findOpenSessions, findSessionPage, keepSession, type SeenSession } from '../sessions/store.ts';
import { checkChosenPassword, hashPassword, isPassword, saltOf } from '../users/password.ts';
import {
  newEnrolment,
  openEnrolment,
  withAuthenticator,
  withNewRecoveryCodes,
  withoutAuthenticator,
} from '../users/second_factor.ts';
import { replaceUser } from '../users/store.ts';
import { type User, withPassword } from '../users/user.ts';
import { ownUser, proven, provenWithSecondFactor } from './proof.ts';
import {
  ConfirmInput,
  EnrolmentOutput,
  MeOutput,
  OwnSessionOutput,
  PasswordInput,
  ProofInput,
  RecoveryCodesOutput,
} from './schema.ts';
import { serializeMe } from './serialize.ts';

const own = { home: 'directory', callers: ['person'], right: 'read', isPersonal: true } as const;
const proofCodes = apiError.codes('sign_in_locked', 'parameter_invalid');

/** A change of the user that nobody else sees. */
function changed(after: User, action: string, details: object = {}) {
  return { objectId: after.id, writes: [replaceUser(after)], audit: [{ action, subject: after.id, details }] };
}

const retrieve = operation({
  ...own,
  name: 'me.retrieve',
  summary: 'Retrieve yourself',
  description: 'Returns the person who has signed in.',
  route: 'GET /me',
  output: MeOutput,
  async run(context) {
    const user = await ownUser(context);
    return { result: serializeMe(user, context.caller as PersonCaller), objectId: user.id };
  },
});

const changePassword = operation({
  ...own,
  name: 'me.change_password',
  summary: 'Change your password',
  description: 'All your other sessions end. With an authenticator set up, it takes a code as well.',
  route: 'POST /me/password',
  input: PasswordInput,
  output: MeOutput,
  errors: apiError.codes('sign_in_locked', 'code_required', 'parameter_invalid'),
  check: ({ new_password }) => checkChosenPassword(new_password, 'new_password'),
  async run(context, { password, new_password, code }) {
    const user = await provenWithSecondFactor(context, { password, code });
    if (await isPassword(new_password, user.password))
      throw apiError('parameter_invalid', { param: 'new_password', reason: 'it is the password that you have' });
    const { session } = personOf(context.caller);
    const open = await findOpenSessions(context.reads, user.id, null);
    const after = withPassword(
      user,
      await hashPassword(new_password, saltOf(user.email, context.keyring, user.password)),
    );
    const details = { sessions_ended: open.filter(({ id }) => id !== session).length };
    const { writes, ...rest } = changed(after, 'user.password_changed', details);
    const kept = open.filter(({ id }) => id === session).map(keepSession);
    return { ...rest, result: serializeMe(after, context.caller as PersonCaller), writes: [...writes, ...kept] };
  },
});

const enrol = operation({
  ...own,
  name: 'me.enrol_totp',
  summary: 'Begin to set up an authenticator',
  description: 'Nothing is stored until the authenticator is confirmed.',
  route: 'POST /me/totp',
  output: EnrolmentOutput,
  async run({ caller, keyring, now, publicUrl }) {
    const { user: id, email } = personOf(caller);
    const issuer = `Tollgate ${new URL(publicUrl()).host}`;
    const { expiresAt, ...made } = newEnrolment({ id, email }, issuer, { keyring, now });
    return {
      result: { object: 'totp_enrolment', ...made, expires_at: Math.floor(expiresAt / 1_000) },
    };
  },
});

const confirm = operation({
  ...own,
  name: 'me.confirm_totp',
  summary: 'Set up an authenticator',
  description:
    'From now on, signing in takes a code. The answer has ten recovery codes, for when the authenticator is lost.',
  route: 'POST /me/totp/confirm',
  input: ConfirmInput,
  output: RecoveryCodesOutput,
  errors: proofCodes,
  async run(context, { token, password, code }) {
    const user = await proven(context, { password });
    // Otherwise the password alone would replace an authenticator.
    if (user.totp_secret !== null) throw refused('token', 'an authenticator is set up already; switch it off first');
    const secret = openEnrolment(user.id, token, context);
    if (secret === undefined) throw refused('token', 'it is not yours or too old; begin again');
    const confirmed = withAuthenticator(user, secret, code, context);
    if (confirmed === undefined) throw refused('code', 'the authenticator does not show it; check its clock');
    return { ...changed(confirmed.after, 'user.totp_enabled'), ...shownOnce(confirmed.codes) };
  },
});

const refused = (param: string, reason: string) => apiError('parameter_invalid', { param, reason });

function shownOnce(codes: string[]) {
  return { result: { object: 'recovery_codes', codes } };
}

const disable = operation({
  ...own,
  name: 'me.disable_totp',
  summary: 'Switch off your authenticator',
  description: 'The recovery codes stop working too.',
  route: 'POST /me/totp/disable',
  input: ProofInput,
  output: MeOutput,
  errors: proofCodes,
  async run(context, proof) {
    const after = withoutAuthenticator(await provenWithCode(context, proof));
    return { ...changed(after, 'user.totp_disabled'), result: serializeMe(after, context.caller as PersonCaller) };
  },
});

const renewCodes = operation({
  ...own,
  name: 'me.renew_recovery_codes',
  summary: 'Make new recovery codes',
  description: 'The codes that you have stop working.',
  route: 'POST /me/recovery_codes',
  input: ProofInput,
  output: RecoveryCodesOutput,
  errors: proofCodes,
  async run(context, proof) {
    const { after, codes } = withNewRecoveryCodes(await provenWithCode(context, proof), context.keyring);
    return { ...changed(after, 'user.recovery_codes_renewed'), ...shownOnce(codes) };
  },
});

async function provenWithCode(context: Context, proof: Static<typeof ProofInput>): Promise<User> {
  const user = await proven(context, proof);
  if (user.totp_secret === null) throw refused('code', 'no authenticator is set up');
  return user;
}

const serializeSeen = serializer<SeenSession & { current: boolean }, typeof OwnSessionOutput>(OwnSessionOutput, {
  created: timeInId,
});

const listSessions = operation({
  ...own,
  name: 'me.list_sessions',
  summary: 'List your sessions',
  description: 'Returns the sessions that have not ended, in pages, newest first.',
  route: 'GET /me/sessions',
  input: Parameters(listParameters),
  output: ListOf(OwnSessionOutput),
  async run({ caller, reads }, input) {
    const { user, session } = personOf(caller);
    const range = rangeOf(input, 'ses');
    const serialize = (row: SeenSession) => serializeSeen({ ...row, current: row.id === session });
    return { result: pageOf(range, await findSessionPage(reads, user, range), { url: '/v1/me/sessions', serialize }) };
  },
});

const endOne = operation({
  ...own,
  ignoresKey: true,
  name: 'me.end_session',
  summary: 'End one of your sessions',
  description: 'Its browser has to sign in again.',
  route: 'DELETE /me/sessions/:id',
  output: EndedOutput,
  async run({ caller, reads, id, now }) {
    const { user, session } = (caller as PersonCaller).person;
    const [open] = isId('ses', id) ? await findOpenSessions(reads, user, id) : [];
    if (open === undefined) throw apiError('resource_missing', { param: 'id', resource: 'session' });
    return {
      result: { object: 'sessions_ended', count: 1 },
      writes: [endSession(open, now)],
      audit: [{ action: 'session.ended', subject: open.id, details: {} }],
      ...(open.id === session && { session: null }),
    };
  },
});

export const meOperations = [retrieve, changePassword, enrol, confirm, disable, renewCodes, listSessions, endOne];
