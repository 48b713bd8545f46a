import { type ApiError, assert, errorBody, type Refusal } from '../../base/errors.ts';
import type { Rendered } from '../../base/page.ts';
import type { AnyOperation, FileAnswer } from '../../operations/operation.ts';
import { sessionDaysMax } from '../../resources/people/sessions/session.ts';
import { sessionCookie } from '../admission/session_lookup.ts';
import type { Replay, Saved } from '../running/idempotency.ts';
import { type FlatHeaders, helpLink, refusalHeaders } from './headers.ts';

/** An answer that is sent in one piece. */
export type Answer = {
  status: number;
  contentType: string;
  body: string | Buffer;
  headers: FlatHeaders;
  /** Default: no-store. */
  cacheControl?: string | undefined;
  /** For the logs. */
  refusal: Refusal | undefined;
};

const json = 'application/json';

/** A browser shows it, and saves it under its name. */
export function answerOfFile({ file: media }: AnyOperation, { file }: FileAnswer): Answer {
  assert(media !== undefined && /^[\w.-]+$/.test(file.name), 'an operation says which files it answers');
  const headers = ['Content-Disposition', `inline; filename="${file.name}"`];
  return { status: 200, contentType: media, body: file.bytes, headers, refusal: undefined };
}

export function answerOfOperation(saved: Saved | Replay): Answer {
  const { status, body } = saved;
  const headers: FlatHeaders = 'firstRequestId' in saved ? ['Idempotent-Replayed', 'true'] : cookieOf(saved);
  if (status === 200) return { status, contentType: json, body, headers, refusal: undefined };
  const refusal: Refusal = JSON.parse(body).error;
  headers.push('Link', helpLink(refusal.code));
  return { status, contentType: json, body, headers, refusal };
}

/** Scripts cannot read the cookie, other sites cannot make a browser send it, and no other host can set it. */
function cookieOf({ session }: Saved): FlatHeaders {
  if (session === undefined) return [];
  const [value, age] = session === null ? ['', 0] : [session.open(), sessionDaysMax * 86_400];
  return ['Set-Cookie', `${sessionCookie}=${value}; Path=/; Max-Age=${age}; HttpOnly; Secure; SameSite=Strict`];
}

/** As bytes: Node would go through a long text twice, to measure it and to send it. */
export function answerOfPage({ headers = {}, body, bytes, ...rendered }: Rendered): Answer {
  return { ...rendered, body: bytes ?? Buffer.from(body), headers: Object.entries(headers).flat(), refusal: undefined };
}

export function answerOfRefusal(refused: ApiError): Answer {
  const { status } = refused;
  const headers = refusalHeaders(refused);
  return { status, contentType: json, body: errorBody(refused), headers, refusal: refused };
}

/** A refusal that a page shows in its own words. */
export function answerOfRefusedPage(refused: ApiError, rendered: Rendered): Answer {
  const answer = answerOfPage(rendered);
  return { ...answer, headers: [...Object.entries(refused.headers).flat(), ...answer.headers], refusal: refused };
}
