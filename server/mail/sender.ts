import type { MailOutcome, OutgoingMail, SendingTerms } from './outgoing.ts';
import { domainOf } from './smtp/mailbox.ts';
import type { SmtpServer } from './smtp/smtp_server.ts';
import { type SmtpOptions, SmtpTransport } from './smtp/transport.ts';

/** What takes mails. */
export type MailTransport = {
  /** Never rejects because of the server. */
  send(mail: OutgoingMail, terms?: SendingTerms): Promise<MailOutcome>;
  close(): void;
};

/** How mails are sent. */
export type MailSender = MailTransport & {
  /** Whether mails are sent at all. */
  isSetUp: boolean;
  /** Whether they reach somebody: in development without a mail server they are only shown. */
  isDelivered: boolean;
  /** The address that mails come from. */
  from: string;
  /** Of all instances; 0: no limit. */
  perMinute: number;
  /** The domain in `Message-ID`s. */
  domain: string;
};

export type MailSettings = { server: SmtpServer; from: string; perMinute: number };

/** The address of the sender where no mail leaves the machine. */
const pretendedFrom = 'tollgate@localhost';

/**
 * `settings` undefined: nothing is sent. In development, mails then count as sent, and the dashboard shows them.
 */
export function mailSender(
  settings: MailSettings | undefined,
  { isDevelopment, ...options }: { isDevelopment: boolean } & Omit<SmtpOptions, 'server'>,
): MailSender {
  if (settings !== undefined) {
    const { server, from, perMinute } = settings;
    const transport = new SmtpTransport({ server, ...options });
    return {
      isSetUp: true,
      isDelivered: true,
      from,
      perMinute,
      domain: domainOf(from),
      send: (mail, terms) => transport.send(mail, terms),
      close: () => transport.close(),
    };
  }
  return {
    isSetUp: isDevelopment,
    isDelivered: false,
    from: pretendedFrom,
    perMinute: 0,
    domain: domainOf(pretendedFrom),
    // Another instance may have a mail server: while settings change from one to the next, nothing that it has queued is lost.
    send: async () => (isDevelopment ? { kind: 'sent' } : { kind: 'unsent', reason: 'No mail server is set up.' }),
    close() {},
  };
}
