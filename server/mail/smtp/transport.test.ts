import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import type { OutgoingMail } from '../outgoing.ts';
import { type Receiver, startReceiver } from './receiver.fixture.ts';
import type { SmtpServer } from './smtp_server.ts';
import { type SmtpOptions, SmtpTransport } from './transport.ts';

const certificates = inject('certificateDir');
const pem = (name: string) => readFileSync(join(certificates, name), 'utf8');
const ca = pem('ca.pem');
const certificate = { key: pem('server-key.pem'), cert: pem('server.pem') };
const password = 'canary-8f41 &:@/ü';
const login = { user: 'tollgate@shop.example', password: new Secret(password) };

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function receive(options: Partial<SMTPServerOptions> = {}): Promise<Receiver> {
  const receiver = await startReceiver(options);
  opened.push(receiver);
  return receiver;
}

function transportTo(
  port: number,
  server: Partial<SmtpServer> = {},
  options: Partial<SmtpOptions> = {},
): SmtpTransport {
  const transport = new SmtpTransport({
    server: { host: '127.0.0.1', port, encryption: 'none', ...server },
    certificateAuthorities: ca,
    ...options,
  });
  opened.unshift(transport);
  return transport;
}

const mailTo = (to: string, more: Partial<OutgoingMail> = {}): OutgoingMail => ({
  messageId: 'mail_1@shop.example',
  from: { name: 'Corner shop', address: 'billing@shop.example' },
  to,
  replyTo: 'help@shop.example',
  date: new Date(Date.UTC(2027, 0, 4, 12)),
  subject: 'Receipt from Corner shop',
  language: 'en',
  text: 'You have paid.\n',
  html: '<p>You have paid.</p>\n',
  attachments: [],
  ...more,
});

const ada = 'ada@example.com';

describe('a mail', () => {
  test('has text and HTML, and the headers by which programs sort it', async () => {
    const { port, mails } = await receive();
    expect(await transportTo(port).send(mailTo(ada))).toEqual({ kind: 'sent' });
    const [{ raw, headers, ...envelope }, ...others] = mails as [Receiver['mails'][0]];
    expect(others).toEqual([]);
    expect(envelope).toEqual({ from: 'billing@shop.example', to: [ada], isSecure: false });
    expect(Object.fromEntries(headers)).toMatchObject({
      from: 'Corner shop <billing@shop.example>',
      to: ada,
      'reply-to': 'help@shop.example',
      subject: 'Receipt from Corner shop',
      'message-id': '<mail_1@shop.example>',
      date: 'Mon, 04 Jan 2027 12:00:00 +0000',
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringMatching(/^multipart\/alternative; /),
    });
    expect(raw).toMatch(
      /Content-Type: text\/plain; charset=utf-8[\s\S]*You have paid\.[\s\S]*Content-Type: text\/html; charset=utf-8/,
    );
  });

  test('carries its logo, so that nothing is loaded from elsewhere', async () => {
    const { port, mails } = await receive();
    const attachments = [{ contentId: 'logo', name: 'logo.png', type: 'image/png', bytes: Buffer.from('picture') }];
    await transportTo(port).send(mailTo(ada, { attachments }));
    expect(mails[0]!.raw).toMatch(
      /Content-Type: image\/png; name=logo.png\r\nContent-ID: <logo>\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: inline;/,
    );
  });

  test.each([
    ['a line break', 'Shop\r\nBcc: eve@example.com', 'Shop Bcc: eve@example.com'],
    ['line breaks of Unicode', 'Shop\u2028Bcc: eve@example.com\u0085X: 1', 'Shop Bcc: eve@example.com X: 1'],
    ['quotes, commas and brackets', '"Shop", <eve@example.com>', '"Shop", <eve@example.com>'],
    ['markup', '<b>Shop</b>', '<b>Shop</b>'],
    ['a null', 'Sh\0op', 'Sh op'],
    ['an encoded word', '=?UTF-8?Q?=0D=0ABcc:_x?=', '= ?UTF-8?Q?=0D=0ABcc:_x?='],
    ['a turn of direction', '\u202egro.pohs\u202c', 'gro.pohs'],
    ['letters of other scripts', 'متجر الزاوية 角の店 🧾', 'متجر الزاوية 角の店 🧾'],
    ['half a letter', 'Shop \ud83e', 'Shop'],
    ['no end', 'x'.repeat(5_000), `${'x'.repeat(99)}…`],
    ['no letters', '\r\n', ''],
  ])('is from one sender, by a name with %s', async (_, name, shown) => {
    const { port, mails } = await receive();
    const subject = `Receipt from ${name}`;
    expect(
      await transportTo(port).send(mailTo(ada, { from: { name, address: 'billing@shop.example' }, subject })),
    ).toEqual({
      kind: 'sent',
    });
    const { headers, to, raw } = mails[0]!;
    expect(to).toEqual([ada]);
    expect([...headers.keys()].filter((one) => ['bcc', 'cc', 'x'].includes(one))).toEqual([]);
    const { default: parse } = await import('nodemailer/lib/addressparser');
    const from = parse(headers.get('from')!);
    expect(from).toEqual([{ name: expect.any(String), address: 'billing@shop.example' }]);
    expect(decoded(from[0]!.name!)).toBe(shown);
    for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    expect(decoded(headers.get('subject')!).length).toBeLessThanOrEqual(200);
  });
});

/** The words of a header, as programs show them. */
function decoded(header: string): string {
  const joined = header.replace(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/((?:=\?UTF-8\?[QB]\?[^?]*\?=)+)/gi, (words) =>
    Buffer.concat(
      [...words.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, kind, text]) =>
        kind!.toUpperCase() === 'B'
          ? Buffer.from(text!, 'base64')
          : Buffer.from(
              text!
                .replaceAll('_', ' ')
                .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
              'latin1',
            ),
      ),
    ).toString(),
  );
}

describe('an address', () => {
  test.each([
    ['with letters beyond ASCII, where the server takes them', 'адa@example.com', 'адa@example.com'],
    ['with a plus', 'ada+shop@example.com', 'ada+shop@example.com'],
  ])('%s is written to', async (_, to, written) => {
    const { port, mails } = await receive();
    expect(await transportTo(port).send(mailTo(to))).toEqual({ kind: 'sent' });
    expect(mails[0]!.to).toEqual([written]);
  });

  test.each([
    'no-address',
    'two@at@example.com',
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com> SIZE=1',
    '"ada"@example.com',
    'ada @example.com',
    'ada..b@example.com',
    `${'a'.repeat(65)}@example.com`,
    'ada@exa mple.com',
    'ada@\u202eexample.com',
    'ada,eve@example.com',
  ])('%j is none, and the server never hears of it', async (to) => {
    const { port, mails } = await receive();
    expect(await transportTo(port).send(mailTo(to))).toMatchObject({ kind: 'refused' });
    expect(mails).toEqual([]);
  });

  test('in a domain with letters beyond ASCII is written in ASCII, which every server takes', async () => {
    const { port, mails } = await receive({ hideSMTPUTF8: true });
    expect(await transportTo(port).send(mailTo('ada@bücher.example'))).toEqual({ kind: 'sent' });
    expect(mails[0]!.headers.get('to')).toBe('ada@xn--bcher-kva.example');
  });

  test('with letters beyond ASCII is refused for good where the server cannot take them', async () => {
    const { port, mails } = await receive({ hideSMTPUTF8: true });
    expect(await transportTo(port).send(mailTo('адa@example.com'))).toEqual({
      kind: 'refused',
      reason: 'The mail server cannot send to addresses with letters beyond ASCII before the @.',
    });
    expect(mails).toEqual([]);
  });
});

describe('the connection', () => {
  const tls = { ...certificate, disabledCommands: [] };

  test('is encrypted by STARTTLS before anything is said', async () => {
    const { port, mails } = await receive(tls);
    const transport = transportTo(port, { host: 'localhost', encryption: 'starttls' });
    expect(await transport.send(mailTo(ada))).toEqual({ kind: 'sent' });
    expect(mails[0]!.isSecure).toBe(true);
  });

  test('is encrypted from the start by smtps', async () => {
    const { port, mails } = await receive({ ...tls, secure: true });
    expect(await transportTo(port, { host: 'localhost', encryption: 'tls' }).send(mailTo(ada))).toEqual({
      kind: 'sent',
    });
    expect(mails[0]!.isSecure).toBe(true);
  });

  test.each([
    ['a server that offers no STARTTLS', { disabledCommands: ['STARTTLS' as const] }, ca, 'it does not offer STARTTLS'],
    [
      'a certificate of an authority that is not known',
      tls,
      undefined,
      'its certificate was issued by an authority that is not known',
    ],
  ])('is never in clear: %s', async (_, options, authorities, why) => {
    const { port, mails } = await receive(options);
    const said = { encryption: 'starttls', host: 'localhost', login } as const;
    const transport = transportTo(port, said, authorities === undefined ? { certificateAuthorities: '' } : {});
    const outcome = await transport.send(mailTo(ada));
    expect(outcome).toEqual({
      kind: 'unsent',
      reason: `The connection to the mail server could not be encrypted: ${why}.`,
    });
    expect(mails).toEqual([]);
  });

  test('logs in with a password of any letters, and without the right one nothing is sent', async () => {
    let passwords: string[] = [];
    const { port, mails } = await receive({
      ...tls,
      authOptional: false,
      onAuth(auth, _, callback) {
        passwords.push(auth.password!);
        if (auth.password === password) callback(null, { user: auth.username });
        else callback(new Error('no'));
      },
    });
    const server = { host: 'localhost', encryption: 'starttls' } as const;
    expect(await transportTo(port, { ...server, login }).send(mailTo(ada))).toEqual({ kind: 'sent' });
    expect(passwords).toEqual([password]);
    passwords = [];
    const wrong = { user: login.user, password: new Secret('wrong-canary') };
    const outcome = await transportTo(port, { ...server, login: wrong }).send(mailTo(ada));
    expect(outcome).toMatchObject({
      kind: 'unsent',
      reason: expect.stringMatching(/^The mail server has refused the login: 535 /),
    });
    expect(JSON.stringify(outcome)).not.toContain('canary');
    expect(mails).toHaveLength(1);
    expect(await transportTo(port, { ...server, login: wrong }).check()).toMatchObject({ at: 'login', status: 535 });
    expect(await transportTo(port, { ...server, login }).check()).toBeUndefined();
  });

  test('is used for the next mail too, and another one is opened when the server has closed it', async () => {
    let connections = 0;
    const sockets = new Set<Socket>();
    const { port, mails, server } = await receive({
      onConnect(_, callback) {
        connections += 1;
        callback();
      },
    });
    server.server.on('connection', (socket) => sockets.add(socket));
    const transport = transportTo(port);
    for (let sent = 0; sent < 3; sent++) expect(await transport.send(mailTo(ada))).toEqual({ kind: 'sent' });
    expect(connections).toBe(1);
    for (const socket of sockets) socket.resetAndDestroy();
    expect(await transport.send(mailTo(ada))).toEqual({ kind: 'sent' });
    expect([connections, mails.length]).toEqual([2, 4]);
  });

  test('is used for the next mail too, and another one is opened when the server wants no more mails by it', async () => {
    let connections = 0;
    const mailsBy = new Map<string, number>();
    const { port, mails } = await receive({
      onConnect(_, callback) {
        connections += 1;
        callback();
      },
      onMailFrom(_, { id }, callback) {
        mailsBy.set(id, (mailsBy.get(id) ?? 0) + 1);
        callback(mailsBy.get(id)! > 1 ? answer(421, 'too many mails') : null);
      },
    });
    const transport = transportTo(port);
    for (let sent = 0; sent < 2; sent++) expect(await transport.send(mailTo(ada))).toEqual({ kind: 'sent' });
    expect([connections, mails.length]).toEqual([2, 2]);
  });

  test('that nobody listens to is tried again', async () => {
    const { port, close } = await startReceiver();
    await close();
    expect(await transportTo(port).send(mailTo(ada))).toEqual({
      kind: 'unsent',
      reason: 'The mail server could not be reached: nothing listens there.',
    });
  });
});

const answer = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

describe('a server that answers', () => {
  const at = {
    connect: (error: Error): Partial<SMTPServerOptions> => ({ onConnect: (_, callback) => callback(error) }),
    from: (error: Error): Partial<SMTPServerOptions> => ({ onMailFrom: (_, __, callback) => callback(error) }),
    recipient: (error: Error): Partial<SMTPServerOptions> => ({ onRcptTo: (_, __, callback) => callback(error) }),
    content: (error: Error): Partial<SMTPServerOptions> => ({
      onData(stream, _, callback) {
        stream.resume().on('end', () => callback(error));
      },
    }),
  };

  test.each([
    ['421 to the connection', at.connect(answer(421, 'busy')), 'unsent', 'The mail server takes no mails now: 421 '],
    ['554 to the connection', at.connect(answer(554, 'go away')), 'unsent', 'The mail server takes no mails now: 554 '],
    ['450 to the sender', at.from(answer(450, 'later')), 'unsent', 'The mail server has refused the sender: 450 '],
    ['553 to the sender', at.from(answer(553, 'not you')), 'unsent', 'The mail server has refused the sender: 553 '],
    [
      '450 to the address',
      at.recipient(answer(450, 'greylisted')),
      'unsent',
      'The mail server has refused the address: 450 ',
    ],
    [
      '550 to the address',
      at.recipient(answer(550, 'no such user')),
      'bounced',
      'The mail server has refused the address: 550 no such user',
    ],
    [
      '554 to the address, because it relays nothing from here',
      at.recipient(answer(554, '5.7.1 <ada@example.com>: Relay access denied')),
      'unsent',
      'The mail server has refused the address: 554 5.7.1 <ada@example.com>: Relay access denied',
    ],
    [
      '530 to the address, because it wants a login',
      at.recipient(answer(530, 'Authentication required')),
      'unsent',
      'The mail server has refused the address: 530 Authentication required',
    ],
    ['451 to the mail', at.content(answer(451, 'try later')), 'unsent', 'The mail server has refused the mail: 451 '],
    [
      '552 to the mail',
      at.content(answer(552, 'too large')),
      'refused',
      'The mail server has refused the mail: 552 too large',
    ],
  ])('%s', async (_, options, kind, reason) => {
    const { port } = await receive(options);
    const transport = transportTo(port);
    for (let tried = 0; tried < 2; tried++) {
      const outcome = await transport.send(mailTo(ada));
      expect(outcome).toMatchObject({ kind, reason: expect.stringContaining(reason) });
    }
  });

  test('with a refusal takes the next mail by the same connection', async () => {
    let connections = 0;
    const { port, mails } = await receive({
      onConnect(_, callback) {
        connections += 1;
        callback();
      },
      onRcptTo: ({ address }, _, callback) => callback(address === 'eve@example.com' ? answer(550, 'no') : null),
    });
    const transport = transportTo(port);
    expect(await transport.send(mailTo('eve@example.com'))).toMatchObject({ kind: 'bounced' });
    expect(await transport.send(mailTo(ada))).toEqual({ kind: 'sent' });
    expect([connections, mails.length]).toEqual([1, 1]);
  });
});

/** A server that follows a script: what it answers to each line. Undefined: it says nothing more. `end`: it closes the connection. */
async function scripted(
  answers: (line: string) => string | 'end' | undefined,
  greeting: string | undefined,
): Promise<{ port: number; lines: string[] }> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (greeting !== undefined) socket.write(greeting);
    let rest = '';
    socket.on('data', (chunk) => {
      rest += chunk.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        lines.push(line);
        const said = answers(line);
        if (said === 'end') socket.destroy();
        else if (said !== undefined) socket.write(said);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return { port: (server.address() as AddressInfo).port, lines };
}

const patience = { connectMs: 200, greetingMs: 200, answerMs: 200, wholeMs: 600 };
const usual: Record<string, string> = {
  EHLO: '250-scripted\r\n250 8BITMIME\r\n',
  MAIL: '250 OK\r\n',
  RCPT: '250 OK\r\n',
  DATA: '354 go on\r\n',
  '.': '250 taken\r\n',
  QUIT: '221 bye\r\n',
};

/** The verb of a command; of a mail, only its last line is one. */
function verbs() {
  let isMail = false;
  return (line: string): string => {
    if (isMail && line !== '.') return '';
    const verb = line === '.' ? '.' : line.slice(0, 4);
    isMail = verb === 'DATA';
    return verb;
  };
}

describe('a server that falls silent', () => {
  test.each([
    ['before it greets', undefined, 'The mail server could not be reached: it took too long.'],
    ['after EHLO', 'EHLO', 'The mail server could not be reached: it took too long.'],
    ['after MAIL', 'MAIL', 'The connection to the mail server broke: it took too long.'],
    ['after RCPT', 'RCPT', 'The connection to the mail server broke: it took too long.'],
    ['after DATA', 'DATA', 'The connection to the mail server broke: it took too long.'],
    [
      'after the mail',
      '.',
      'The mail server has taken the mail and not answered: it took too long. It may have arrived.',
    ],
  ])('%s is given up, and the mail is tried again', async (_, silent, reason) => {
    const verbOf = verbs();
    const answers = (line: string) => {
      const verb = verbOf(line);
      return verb === silent ? undefined : usual[verb];
    };
    const { port } = await scripted(answers, silent === undefined ? undefined : '220 scripted ESMTP\r\n');
    expect(await transportTo(port, {}, { patience }).send(mailTo(ada))).toEqual({ kind: 'unsent', reason });
  });

  test('and drips, so that there is always something to wait for, is given up too', async () => {
    const { port } = await scripted(() => undefined, undefined);
    const dripping = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220-first\r\n');
      const timer = setInterval(() => socket.write('220-more\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    dripping.listen(0, '127.0.0.1');
    await once(dripping, 'listening');
    opened.push({ close: () => dripping.close() });
    const outcome = await transportTo(
      (dripping.address() as AddressInfo).port,
      {},
      { patience: { ...patience, greetingMs: 60_000, connectMs: 60_000 } },
    ).send(mailTo(ada));
    expect(outcome).toMatchObject({ kind: 'unsent', reason: expect.stringContaining('it took too long') });
    expect(port).toBeGreaterThan(0);
  });
});

describe('a server that goes away', () => {
  test.each([
    ['at MAIL', 'MAIL', 'The connection to the mail server broke: it closed the connection.'],
    ['at DATA', 'DATA', 'The connection to the mail server broke: it closed the connection.'],
    [
      'between the mail and its answer',
      '.',
      'The mail server has taken the mail and not answered: it closed the connection. It may have arrived.',
    ],
  ])('%s: the mail is tried again', async (_, last, reason) => {
    const verbOf = verbs();
    const { port, lines } = await scripted((line) => {
      const verb = verbOf(line);
      return verb === last ? 'end' : usual[verb];
    }, '220 scripted ESMTP\r\n');
    expect(await transportTo(port, {}, { patience }).send(mailTo(ada))).toEqual({ kind: 'unsent', reason });
    expect(lines.filter((line) => line === '.').length).toBe(last === '.' ? 1 : 0);
  });
});

describe('a mail is held back after the server would take it', () => {
  test('when another instance may have begun to send it', async () => {
    const { port, mails } = await receive();
    const transport = transportTo(port);
    expect(await transport.send(mailTo(ada), { isOurs: async () => false })).toEqual({
      kind: 'unsent',
      reason: 'Another instance may have begun to send the mail.',
    });
    expect(await transport.send(mailTo(ada), { isOurs: async () => true })).toEqual({ kind: 'sent' });
    expect(mails).toHaveLength(1);
  });

  test('when this process is to stop', async () => {
    const stopping = new AbortController();
    const { port, mails } = await receive({
      onRcptTo(_, __, callback) {
        stopping.abort();
        callback();
      },
    });
    expect(await transportTo(port).send(mailTo(ada), { stopping: stopping.signal })).toEqual({
      kind: 'unsent',
      reason: 'The server was stopped before the mail was handed over.',
    });
    expect(mails).toEqual([]);
  });
});

describe('when this process is to stop', () => {
  test('a mail that the server has is waited for, so that it is not sent twice', async () => {
    const stopping = new AbortController();
    const { port } = await receive({
      onData(stream, _, callback) {
        stream.resume().on('end', () => {
          stopping.abort();
          setTimeout(callback, 100);
        });
      },
    });
    const transport = transportTo(port, {}, { patience: { stoppingMs: 1 } });
    expect(await transport.send(mailTo(ada), { stopping: stopping.signal })).toEqual({ kind: 'sent' });
  });

  test('a server that hangs is given up soon', async () => {
    const stopping = new AbortController();
    const { port } = await receive({ onMailFrom: () => stopping.abort() });
    const transport = transportTo(port, {}, { patience: { stoppingMs: 1 } });
    expect(await transport.send(mailTo(ada), { stopping: stopping.signal })).toMatchObject({ kind: 'unsent' });
  });
});
