import { isLoopback } from '../base/loopback.ts';
import { Secret } from '../base/secret.ts';
import type { NumberSetting, Setting, SettingsReader } from '../base/setting.ts';
import { isSendable } from '../mail/smtp/mailbox.ts';
import type { SmtpServer } from '../mail/smtp/smtp_server.ts';

const serverUrl: Setting = {
  name: 'SMTP_URL',
  meaning:
    'The server that sends [mails](mail.md): `smtp://user:password@host:587`, with STARTTLS unless the host is this machine, or `smtps://` with TLS from the start. User and password are percent-encoded. Without it no mails are sent.',
};

const passwordFile: Setting = {
  name: 'SMTP_PASSWORD_FILE',
  meaning: 'A file that contains the password of the mail server, instead of a password in `SMTP_URL`.',
};

const sender: Setting = {
  name: 'MAIL_FROM',
  defaultInWords: 'none; needed with `SMTP_URL`',
  meaning:
    'The address that mails come from. Its domain must [allow](mail.md#spf-dkim-and-dmarc) the server to send for it.',
};

const perMinute: NumberSetting = {
  name: 'MAIL_PER_MINUTE',
  default: 0,
  defaultInWords: 'no limit',
  range: [0, 100_000],
  meaning: 'How many mails all instances together send in a minute. `0`: as many as the server takes.',
};

export const mailSettings = [serverUrl, passwordFile, sender, perMinute];

export type MailConfig = {
  server: SmtpServer;
  /** The address that mails come from. */
  from: string;
  /** Of all instances; 0: no limit. */
  perMinute: number;
};

/** Undefined: no mails are sent. */
export function readMail(reader: SettingsReader): MailConfig | undefined {
  const limit = reader.number(perMinute);
  const url = reader.given(serverUrl);
  const from = reader.given(sender);
  if (url === undefined) {
    for (const setting of [passwordFile, sender])
      if (reader.given(setting) !== undefined)
        reader.problem(`${setting.name} is set but SMTP_URL is not: set SMTP_URL, or remove it.`);
    return undefined;
  }
  const server = readServer(reader, url);
  if (from === undefined)
    reader.problem('MAIL_FROM is missing: with SMTP_URL, set it to the address that mails come from.');
  else if (!isSendable(from) || /[^\x21-\x7e]/.test(from))
    reader.problem('MAIL_FROM must be an email address alone, in ASCII, such as billing@example.com.');
  return server && { server, from: from ?? '', perMinute: limit };
}

/** The address may contain a password, so it is not quoted. */
function readServer(reader: SettingsReader, text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  const hasRest = url !== null && (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '');
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.port === '0' || hasRest) {
    reader.problem('SMTP_URL must be smtp://user:password@host:port or smtps://…, with nothing after the port.');
    return undefined;
  }
  const isSecure = url.protocol === 'smtps:';
  const host = url.hostname.toLowerCase();
  const login = readLogin(reader, url);
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isSecure ? 465 : 587),
    encryption: isSecure ? 'tls' : isLoopback(host) ? 'none' : 'starttls',
    ...(login && { login }),
  };
}

function readLogin(reader: SettingsReader, url: URL): SmtpServer['login'] {
  const [user, inUrl] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || inUrl === undefined) {
    reader.problem('SMTP_URL has a user or a password that is not percent-encoded: write %25 for %, and %40 for @.');
    return undefined;
  }
  const file = reader.file(passwordFile)?.replace(/\r?\n$/, '');
  if (file !== undefined && inUrl !== '') {
    reader.problem('The password of the mail server is in SMTP_URL and in SMTP_PASSWORD_FILE: keep one of them.');
    return undefined;
  }
  const password = file ?? inUrl;
  if (user === '' && password === '') return undefined;
  if (user === '' || password === '') {
    const missing =
      user === '' ? 'a password for the mail server, and no user' : 'a user of the mail server, and no password';
    reader.problem(`There is ${missing}: write smtp://user@host, with the password there or in SMTP_PASSWORD_FILE.`);
    return undefined;
  }
  return { user, password: new Secret(password) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
