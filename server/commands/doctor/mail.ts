import type { Config } from '../../config.ts';
import type { SmtpFailure } from '../../mail/smtp/failure.ts';
import { domainOf } from '../../mail/smtp/mailbox.ts';
import type { SmtpServer } from '../../mail/smtp/smtp_server.ts';
import { type SmtpOptions, SmtpTransport } from '../../mail/smtp/transport.ts';
import { type Finding, fine, wrong } from './finding.ts';

const advice: Record<SmtpFailure['at'], string> = {
  name: 'correct the host in SMTP_URL',
  connection: 'check host and port in SMTP_URL, and whether this machine may connect there',
  tls: 'use the port and the scheme that the server offers (587 with smtp://, 465 with smtps://), and the name in its certificate',
  greeting: 'ask the operator of the mail server why it takes no connection from here',
  login: 'correct the user in SMTP_URL and its password',
  sender: 'use an address in MAIL_FROM that the server may send for',
  recipient: 'ask the operator of the mail server',
  content: 'ask the operator of the mail server',
};

const encryptions: Record<SmtpServer['encryption'], string> = {
  tls: 'over TLS',
  starttls: 'by STARTTLS',
  none: 'in clear, on this machine',
};

/** Connects and logs in as for a mail. Whether mails arrive is decided by the DNS too, which cannot be tried from here. */
export async function checkMail(
  { mail }: Pick<Config, 'mail'>,
  options: Omit<SmtpOptions, 'server'> = {},
): Promise<Finding> {
  if (mail === undefined) return fine('mail', 'no mails are sent: SMTP_URL is not set');
  const { server, from } = mail;
  const place = `${server.host}:${server.port}`;
  const transport = new SmtpTransport({ server, patience: { wholeMs: 20_000 }, ...options });
  const failure = await transport.check();
  if (failure !== undefined)
    return wrong('mail', `${place}: ${failure.outcome.reason.replace(/\.$/, '')}: ${advice[failure.at]}.`);
  const login = server.login === undefined ? '' : ', and the login';
  return fine(
    'mail',
    `the mail server ${place} takes mails ${encryptions[server.encryption]}${login}. For ${domainOf(from)}, set up SPF, DKIM and DMARC, or mails end as spam`,
  );
}
