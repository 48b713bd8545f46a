import type { MailOutcome } from '../outgoing.ts';

/** How far a mail has come: `handed_over`, and the server may have it. */
export type SmtpStage = 'connect' | 'envelope' | 'handed_over';

/** Why a mail was not sent. `status`: of the server's answer; undefined where there was none. */
export type SmtpFailure = {
  outcome: Exclude<MailOutcome, { kind: 'sent' }>;
  status: number | undefined;
  /** Where it failed, for those who set the server up. */
  at: 'name' | 'connection' | 'tls' | 'greeting' | 'login' | 'sender' | 'recipient' | 'content';
};

/** What the errors of nodemailer carry. */
type SmtpError = Error & {
  code?: string;
  originalCode?: string;
  command?: string;
  responseCode?: number;
  response?: string;
  rejectedErrors?: readonly SmtpError[];
  isLogin?: boolean;
};

const answerCharsMax = 300;

/** Marks a failure of the login, of which the message may name the user. */
export function loginFailed(error: Error): Error {
  return Object.assign(error, { isLogin: true });
}

/**
 * What a failure means for the mail. An address is refused for good where the server answers 5xx to it, unless by its policy, and a mail
 * where it does so to its content. Anything else is about the server or its settings, and may be in order an hour later.
 */
export function failureOf(thrown: unknown, stage: SmtpStage): SmtpFailure {
  const error = ((thrown as SmtpError).rejectedErrors?.[0] ?? thrown) as SmtpError;
  const at = placeOf(error, stage);
  const status = error.responseCode;
  const reason = sentenceOf(error, stage, at);
  const isFinal = status !== undefined && status >= 500;
  if (isFinal && at === 'recipient' && !isOfPolicy(error)) return { outcome: { kind: 'bounced', reason }, status, at };
  if (isFinal && at === 'content') return { outcome: { kind: 'refused', reason }, status, at };
  return { outcome: { kind: 'unsent', reason }, status, at };
}

/**
 * A server that relays nothing from here, or wants a login, says so to the first address: `554 5.7.1 Relay access denied`. That is no fault of
 * the address, and a wrong setting must not condemn those of all customers.
 */
function isOfPolicy({ responseCode, response = '' }: SmtpError): boolean {
  return responseCode === 530 || /^5\d\d[ -]5\.7\.\d/.test(response);
}

function placeOf(error: SmtpError, stage: SmtpStage): SmtpFailure['at'] {
  const { code, command = '', isLogin, responseCode } = error;
  if (isLogin === true) return 'login';
  if (stage === 'handed_over' || command === 'DATA') return 'content';
  if (command === 'RCPT TO') return 'recipient';
  if (stage === 'envelope') return 'sender';
  if (code === 'EDNS') return 'name';
  if (code === 'ETLS' || command === 'STARTTLS' || isOfTls(error)) return 'tls';
  return responseCode === undefined ? 'connection' : 'greeting';
}

const sentences: Record<SmtpFailure['at'], string> = {
  name: 'The name of the mail server could not be resolved',
  connection: 'The mail server could not be reached',
  tls: 'The connection to the mail server could not be encrypted',
  greeting: 'The mail server takes no mails now',
  login: 'The mail server has refused the login',
  sender: 'The mail server has refused the sender',
  recipient: 'The mail server has refused the address',
  content: 'The mail server has refused the mail',
};

/** Of an answer, the words of the server; otherwise why there was none. */
function sentenceOf(error: SmtpError, stage: SmtpStage, at: SmtpFailure['at']): string {
  const { response, responseCode, command } = error;
  if (command === 'STARTTLS' && responseCode !== undefined && responseCode >= 500)
    return `${sentences.tls}: it does not offer STARTTLS.`;
  if (responseCode !== undefined) return `${sentences[at]}: ${oneLine(response ?? String(responseCode))}`;
  const why = reasonOf(error);
  if (stage === 'handed_over')
    return `The mail server has taken the mail and not answered: ${why}. It may have arrived.`;
  if (stage === 'envelope') return `The connection to the mail server broke: ${why}.`;
  return `${sentences[at]}: ${why}.`;
}

const reasonsOfConnections: Record<string, string> = {
  ETIMEDOUT: 'it took too long',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'there is no such name',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  EAUTH: 'it offers no login that can be used',
};

const reasonsOfTls: Record<string, string> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate was issued for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an authority that is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate was issued by an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate was issued by an authority that is not known',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

function isOfTls({ code = '', originalCode = code }: SmtpError): boolean {
  return originalCode in reasonsOfTls || originalCode.startsWith('ERR_SSL_');
}

/** Never the text of an error of the system: it may name addresses of the network. */
function reasonOf({ code, originalCode, message }: SmtpError): string {
  const reasons = { ...reasonsOfConnections, ...reasonsOfTls };
  const known = reasons[originalCode ?? ''] ?? reasons[code ?? ''];
  if (known !== undefined) return known;
  if (/closed/i.test(message)) return 'it closed the connection';
  return originalCode ?? code ?? 'it failed';
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= answerCharsMax ? line : `${line.slice(0, answerCharsMax)}…`;
}
