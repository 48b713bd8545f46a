import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type ReceivedMail = {
  from: string;
  to: string[];
  /** As it came. */
  raw: string;
  /** By the name in lower case, unfolded. */
  headers: ReadonlyMap<string, string>;
  isSecure: boolean;
};

export type Receiver = { port: number; url: string; mails: ReceivedMail[]; server: SMTPServer; close(): Promise<void> };

/** A real mail server in this process, without encryption and login unless `options` says otherwise. */
export async function startReceiver(options: Partial<SMTPServerOptions> = {}): Promise<Receiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    logger: false,
    closeTimeout: 1,
    disableReverseLookup: true,
    onData(stream, { envelope, secure }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, raw, headers: headersOf(raw), isSecure: secure });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {}); // a client that goes away is no error of the test
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, url: `smtp://127.0.0.1:${port}`, mails, server, close };
}

function headersOf(raw: string): ReadonlyMap<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
}
