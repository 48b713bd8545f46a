import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { type Receiver, startReceiver } from '../../mail/smtp/receiver.fixture.ts';
import type { SmtpServer } from '../../mail/smtp/smtp_server.ts';
import { checkMail } from './mail.ts';

const pem = (name: string) => readFileSync(join(inject('certificateDir'), name), 'utf8');
const certificateAuthorities = pem('ca.pem');
const login = { user: 'user', password: new Secret('right') };

const checked = ({ port }: Pick<Receiver, 'port'>, server: Partial<SmtpServer> = {}) =>
  checkMail(
    {
      mail: {
        server: { host: 'localhost', port, encryption: 'starttls', login, ...server },
        from: 'billing@shop.example',
        perMinute: 0,
      },
    },
    { certificateAuthorities },
  );

test('says that no mails are sent where there is no server', async () => {
  expect(await checkMail({ mail: undefined })).toEqual({
    name: 'mail',
    state: 'ok',
    message: 'no mails are sent: SMTP_URL is not set',
  });
});

test('connects, encrypts and logs in, and names what the DNS needs; what fails is named with what to do', async () => {
  const receiver = await startReceiver({
    key: pem('server-key.pem'),
    cert: pem('server.pem'),
    disabledCommands: [],
    onAuth: ({ password }, _, callback) =>
      password === 'right' ? callback(null, { user: 'user' }) : callback(new Error('no')),
  });
  const place = `localhost:${receiver.port}`;
  expect(await checked(receiver)).toEqual({
    name: 'mail',
    state: 'ok',
    message: `the mail server ${place} takes mails by STARTTLS, and the login. For shop.example, set up SPF, DKIM and DMARC, or mails end as spam`,
  });
  const wrong = async (server: Partial<SmtpServer>) => (await checked(receiver, server)).message;
  expect(await wrong({ login: { user: 'user', password: new Secret('canary-77') } })).toMatch(
    /^localhost:\d+: The mail server has refused the login: 535 .*: correct the user in SMTP_URL and its password\.$/,
  );
  expect(await wrong({ encryption: 'tls' })).toMatch(/: use the port and the scheme that the server offers /);
  expect(await wrong({ port: 1 })).toBe(
    'localhost:1: The mail server could not be reached: nothing listens there: check host and port in SMTP_URL, and whether this machine may connect there.',
  );
  expect(await wrong({ host: 'mail.invalid' })).toMatch(/^mail\.invalid:\d+: .*: correct the host in SMTP_URL\.$/);
  expect(receiver.mails).toEqual([]);
  await receiver.close();
});
