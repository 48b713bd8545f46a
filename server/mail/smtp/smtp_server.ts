import type { Secret } from '../../base/secret.ts';

/** The mail server that mails are handed to. */
export type SmtpServer = {
  host: string;
  port: number;
  /** `starttls`: nothing is sent before the connection is encrypted. `none`: for a server on this machine. */
  encryption: 'tls' | 'starttls' | 'none';
  login?: { user: string; password: Secret };
};
