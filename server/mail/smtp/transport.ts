import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { after } from '../../base/timers.ts';
import type { MailOutcome, OutgoingMail, SendingTerms } from '../outgoing.ts';
import { compose } from './compose.ts';
import { failureOf, loginFailed, type SmtpFailure } from './failure.ts';
import { envelopeAddress, needsUtf8 } from './mailbox.ts';
import type { SmtpServer } from './smtp_server.ts';

/** In milliseconds. A server that hangs at any stage is given up. */
export const smtpPatience = {
  connectMs: 10_000,
  greetingMs: 15_000,
  /** Until the next answer. Servers look for spam between the end of a mail and their answer. */
  answerMs: 60_000,
  /** For everything, so that a server that answers in drops is given up too. */
  wholeMs: 120_000,
  /** Once this process is to stop: for a mail that the server does not have yet, and for the answer to one that it has. */
  stoppingMs: 3_000,
  lastAnswerMs: 10_000,
};

export type SmtpOptions = {
  server: SmtpServer;
  /** The name by which this machine introduces itself. */
  clientName?: string;
  /** In PEM; by default, those that Node trusts. */
  certificateAuthorities?: string;
  patience?: Partial<typeof smtpPatience>;
};

const idleMs = 5_000; // below the time after which servers close
const mailsPerConnection = 100; // many servers close after so many

type EnvelopedMail = { from: string; to: string; bytes: Buffer; terms: SendingTerms };

/** Why a mail was not handed over, though the server would have taken it. */
class HeldBack extends Error {}

/** A connection that has logged in. `supports`: extensions that the server has named. */
type SmtpSession = { connection: SMTPConnection; sent: number; isOpen: boolean; supports(extension: string): boolean };

/**
 * Hands mails to the server. Connections are kept for the next mail for a moment; there are never more than mails under way, whose number
 * the caller decides.
 */
export class SmtpTransport {
  readonly #options: SmtpOptions;
  readonly #patience: typeof smtpPatience;
  readonly #idle = new Map<SmtpSession, { cancel(): void }>();

  constructor(options: SmtpOptions) {
    this.#options = options;
    this.#patience = { ...smtpPatience, ...options.patience };
  }

  /** Never rejects because of the server. */
  async send(mail: OutgoingMail, terms: SendingTerms = {}): Promise<MailOutcome> {
    const to = envelopeAddress(mail.to);
    if (to === undefined) return { kind: 'refused', reason: 'The address is not one that mails can be sent to.' };
    const bytes = await compose(mail);
    const kept = this.#takeIdle();
    const envelope = { from: mail.from.address, to, bytes, terms };
    const attempt = (session?: SmtpSession) => this.#attempt(envelope, session);
    const first = await attempt(kept);
    // The server has closed a connection that was kept. It has not seen the mail, so that another connection is tried at once.
    return first === 'stale' ? ((await attempt()) as MailOutcome) : first;
  }

  /** Connects and logs in as for a mail; undefined: that has worked. */
  async check(): Promise<SmtpFailure | undefined> {
    try {
      end(await this.#open());
      return undefined;
    } catch (error) {
      return failureOf(error, 'connect');
    }
  }

  close(): void {
    for (const [session, timer] of this.#idle) {
      timer.cancel();
      end(session);
    }
    this.#idle.clear();
  }

  async #attempt(mail: EnvelopedMail, kept?: SmtpSession): Promise<MailOutcome | 'stale'> {
    const { stopping } = mail.terms;
    let session = kept;
    let isHandedOver = false;
    try {
      session ??= await this.#open(stopping);
      if (needsUtf8(mail.to) && !session.supports('SMTPUTF8')) {
        this.#keep(session);
        const reason = 'The mail server cannot send to addresses with letters beyond ASCII before the @.';
        return { kind: 'refused', reason };
      }
      await this.#handOver(session, mail, () => {
        isHandedOver = true;
      });
      this.#keep(session);
      return { kind: 'sent' };
    } catch (error) {
      if (error instanceof HeldBack) {
        end(session!);
        return { kind: 'unsent', reason: error.message };
      }
      const failure = failureOf(error, session === undefined ? 'connect' : isHandedOver ? 'handed_over' : 'envelope');
      if (session !== undefined) await this.#afterFailure(session, failure);
      const isClosed = failure.status === undefined || failure.status === 421;
      if (kept !== undefined && isClosed && !isHandedOver && !stopping?.aborted) return 'stale';
      return failure.outcome;
    }
  }

  async #handOver(
    { connection }: SmtpSession,
    { from, to, bytes, terms }: EnvelopedMail,
    begins: () => void,
  ): Promise<void> {
    let heldBack: HeldBack | undefined;
    let isHandedOver = false;
    // Read once the server has said that it takes the mail: from then on nobody knows whether it has arrived until there is an answer.
    const content = Readable.from(
      (async function* () {
        heldBack = await reasonToHoldBack(terms);
        if (heldBack !== undefined) throw heldBack;
        isHandedOver = true;
        begins();
        yield bytes;
      })(),
    );
    const envelope = { from, to, size: bytes.length, use8BitMime: false };
    const { stoppingMs, lastAnswerMs } = this.#patience;
    try {
      await this.#within(
        connection,
        (settle) => connection.send(envelope, content, (error) => settle(error)),
        terms.stopping,
        () => (isHandedOver ? lastAnswerMs : stoppingMs),
      );
    } catch (error) {
      throw heldBack ?? error;
    }
  }

  async #open(stopping?: AbortSignal): Promise<SmtpSession> {
    const { server, clientName, certificateAuthorities: ca } = this.#options;
    const { host, port, encryption, login } = server;
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const connection = new Connection({
      host,
      port,
      secure: encryption === 'tls',
      requireTLS: encryption === 'starttls',
      ignoreTLS: encryption === 'none',
      ...(clientName !== undefined && { name: clientName }),
      connectionTimeout: this.#patience.connectMs,
      dnsTimeout: this.#patience.connectMs,
      greetingTimeout: this.#patience.greetingMs,
      socketTimeout: this.#patience.answerMs,
      tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
      logger: false,
    });
    const session: SmtpSession = {
      connection,
      sent: 0,
      isOpen: true,
      supports: (extension) => extensionsOf(connection).includes(extension),
    };
    connection.on('error', () => closed(session)); // stays: an error of an idle connection must not end the process
    connection.on('end', () => closed(session));
    await this.#within(connection, (settle) => connection.connect((error) => settle(error ?? null)), stopping);
    if (login === undefined) return session;
    const credentials = { user: login.user, pass: login.password.open() };
    await this.#within(
      connection,
      (settle) => connection.login(credentials, (error) => settle(error && loginFailed(error))),
      stopping,
    );
    return session;
  }

  /** Settles by the callback, by an error of the connection, by the deadline, or soon after this server is to stop. */
  async #within(
    connection: SMTPConnection,
    work: (settle: (error: Error | null) => void) => void,
    stopping?: AbortSignal,
    stoppingMs = () => this.#patience.stoppingMs,
  ): Promise<void> {
    const done = Promise.withResolvers<void>();
    const settle = (error: Error | null) => (error === null ? done.resolve() : done.reject(error));
    const giveUpAfter = (ms: number) =>
      after(ms, () => {
        settle(Object.assign(new Error('it took too long'), { code: 'ETIMEDOUT' }));
        connection.close();
      });
    const timers = [giveUpAfter(this.#patience.wholeMs)];
    const hurry = () => timers.push(giveUpAfter(stoppingMs()));
    stopping?.addEventListener('abort', hurry);
    if (stopping?.aborted) hurry();
    connection.once('error', settle);
    try {
      work(settle);
      await done.promise;
    } catch (error) {
      if ((error as { responseCode?: number }).responseCode === undefined) connection.close();
      throw error;
    } finally {
      for (const timer of timers) timer.cancel();
      stopping?.removeEventListener('abort', hurry);
      connection.removeListener('error', settle);
    }
  }

  /** After a refusal the connection is as good as before; after anything else nobody knows what state it is in. */
  async #afterFailure(session: SmtpSession, { status }: SmtpFailure): Promise<void> {
    if (status === undefined || status === 421) return end(session);
    try {
      await this.#within(session.connection, (settle) => session.connection.reset((error) => settle(error)));
      this.#keep(session);
    } catch {
      end(session);
    }
  }

  #keep(session: SmtpSession): void {
    session.sent += 1;
    if (!session.isOpen || session.sent >= mailsPerConnection) {
      end(session);
      return;
    }
    const timer = after(idleMs, () => {
      this.#idle.delete(session);
      end(session);
    });
    this.#idle.set(session, timer);
  }

  #takeIdle(): SmtpSession | undefined {
    for (const [session, timer] of this.#idle) {
      this.#idle.delete(session);
      timer.cancel();
      if (session.isOpen) return session;
    }
    return undefined;
  }
}

/** Undefined: it may be handed over now. */
async function reasonToHoldBack({ stopping, isOurs }: SendingTerms): Promise<HeldBack | undefined> {
  if (isOurs !== undefined && !(await isOurs()))
    return new HeldBack('Another instance may have begun to send the mail.');
  return stopping?.aborted ? new HeldBack('The server was stopped before the mail was handed over.') : undefined;
}

function closed(session: SmtpSession): void {
  session.isOpen = false;
}

function end({ connection, isOpen }: SmtpSession): void {
  if (isOpen) connection.quit();
  else connection.close();
}

/** The package keeps them to itself. */
function extensionsOf(connection: SMTPConnection): readonly string[] {
  return (connection as unknown as { _supportedExtensions: readonly string[] })._supportedExtensions;
}
