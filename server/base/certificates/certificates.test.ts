import { execFile } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { createServer, get as httpsGet } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ensureLocalCertificate, type LocalCertificate } from './index.ts';
import { machineName } from './names.ts';
import { readPair } from './pair.ts';

const run = promisify(execFile);
const day = 24 * 60 * 60 * 1000;
const now = new Date('2026-03-01T12:00:00.500Z');
const later = (days: number) => new Date(now.getTime() + days * day);

async function emptyDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-certificates-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return join(dir, 'tls');
}

/** The verdict of openssl on the leaf for this name at this time. */
async function verify({ caFile, certFile }: LocalCertificate, at: Date, ...name: string[]): Promise<string> {
  const time = String(Math.floor(at.getTime() / 1000));
  const strict = ['-x509_strict', '-purpose', 'sslserver', '-attime', time, ...name];
  const result = await run('openssl', ['verify', ...strict, '-CAfile', caFile, certFile]).catch((error) => error);
  return String(result.stdout) + String(result.stderr);
}

async function answerOver(certificate: LocalCertificate, host: string): Promise<string> {
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (_req, res) => res.end('hello'));
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const request = httpsGet({ host, port, ca: certificate.ca, agent: false });
  const [response] = await once(request, 'response');
  return (await response.toArray()).join('');
}

describe('the first start', () => {
  test('makes a certificate that openssl accepts, strictly, for every local name', async () => {
    const made = await ensureLocalCertificate(await emptyDir(), now, 'Build-7.example');
    for (const name of ['localhost', 'build-7.example']) {
      expect(await verify(made, now, '-verify_hostname', name)).toContain('OK');
    }
    for (const address of ['127.0.0.1', '::1']) expect(await verify(made, now, '-verify_ip', address)).toContain('OK');
    expect(await verify(made, now, '-verify_hostname', 'example.com')).toContain('mismatch');
  });

  test('makes one that an HTTPS client accepts', async () => {
    const made = await ensureLocalCertificate(await emptyDir(), new Date());
    expect(await answerOver(made, 'localhost')).toBe('hello');
    expect(await answerOver(made, '127.0.0.1')).toBe('hello');
  });

  test('writes the files that it returns, with keys that only their owner can read', async () => {
    const dir = await emptyDir();
    const made = await ensureLocalCertificate(dir, now);
    expect(await readFile(made.certFile, 'utf8')).toBe(made.cert);
    expect(await readFile(made.keyFile, 'utf8')).toBe(made.key);
    expect(await readFile(made.caFile, 'utf8')).toBe(made.ca);
    const modes: Record<string, number> = {};
    for (const file of await readdir(dir)) modes[file] = (await stat(join(dir, file))).mode & 0o777;
    expect(modes).toEqual({ 'ca-key.pem': 0o600, 'ca.pem': 0o644, 'server-key.pem': 0o600, 'server.pem': 0o644 });
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect(made.ca).not.toContain('PRIVATE');
  });

  test('is valid for at most 397 days, its authority for ten years', async () => {
    const made = await ensureLocalCertificate(await emptyDir(), now);
    const [leaf, authority] = [new X509Certificate(made.cert), new X509Certificate(made.ca)];
    const days = (of: X509Certificate) => (of.validToDate.getTime() - of.validFromDate.getTime()) / day;
    expect(days(leaf)).toBeLessThanOrEqual(397);
    expect(days(leaf)).toBeGreaterThan(390);
    expect(days(authority)).toBeCloseTo(3651, 0);
    expect(leaf.validFromDate.getTime()).toBeLessThan(now.getTime());
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(leaf.ca).toBe(false);
    expect(authority.ca).toBe(true);
  });

  test('gives processes that start at the same time the same authority and key', async () => {
    const dir = await emptyDir();
    const made = await Promise.all(Array.from({ length: 4 }, () => ensureLocalCertificate(dir, now)));
    expect(new Set(made.map(({ ca }) => ca)).size).toBe(1);
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    expect(await verify(made[0] as LocalCertificate, now)).toContain('OK');
    expect(await readdir(dir)).toHaveLength(4);
  });
});

describe('its authority', () => {
  test('cannot sign for any other name', async () => {
    const made = await ensureLocalCertificate(await emptyDir(), now, 'build-7');
    const { stdout } = await run('openssl', ['x509', '-in', made.caFile, '-noout', '-ext', 'nameConstraints']);
    expect(stdout.match(/(DNS|IP):\S+/g)).toEqual([
      'DNS:localhost',
      'DNS:build-7',
      'IP:127.0.0.0/255.0.0.0',
      'IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF',
    ]);
    expect(stdout).toContain('critical');

    // A leaf for another name, signed with the stolen key of the authority.
    const dir = await emptyDir();
    await ensureLocalCertificate(dir, now);
    const forged = { ...made, certFile: join(dir, 'forged.pem') };
    const request = ['req', '-x509', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const names = ['-subj', '/CN=example.com', '-addext', 'subjectAltName=DNS:example.com'];
    const signed = ['-CA', made.caFile, '-CAkey', join(made.caFile, '..', 'ca-key.pem')];
    const files = ['-keyout', join(dir, 'forged-key.pem'), '-out', forged.certFile];
    await run('openssl', [...request, ...names, ...signed, ...files]);
    expect(await verify(forged, new Date())).toContain('permitted subtree violation');
  });
});

describe('a later start', () => {
  const first = async () => {
    const dir = await emptyDir();
    return { dir, made: await ensureLocalCertificate(dir, now, 'build-7') };
  };

  test('returns the same certificate', async () => {
    const { dir, made } = await first();
    expect(await ensureLocalCertificate(dir, later(300), 'build-7')).toEqual(made);
  });

  test.each([
    ['keeps a leaf that is valid for 31 more days', 396 - 31, true],
    ['renews a leaf that is valid for 29 more days', 396 - 29, false],
    ['renews an expired leaf', 500, false],
  ])('%s', async (_name, days, kept) => {
    const { dir, made } = await first();
    const at = later(days);
    const again = await ensureLocalCertificate(dir, at, 'build-7');
    expect(again.cert === made.cert).toBe(kept);
    expect(again.ca).toBe(made.ca);
    expect(await verify(again, at, '-verify_hostname', 'localhost')).toContain('OK');
  });

  test('keeps its authority while the clock is wrong', async () => {
    const { dir, made } = await first();
    const wrong = await ensureLocalCertificate(dir, new Date(0), 'build-7');
    expect(wrong.ca).toBe(made.ca);
    expect(wrong.cert).not.toBe(made.cert);
    const right = await ensureLocalCertificate(dir, now, 'build-7');
    expect(right.ca).toBe(made.ca);
    expect(await verify(right, now, '-verify_hostname', 'localhost')).toContain('OK');
  });

  const damages: [string, (made: LocalCertificate) => Promise<unknown>][] = [
    ['the leaf is missing', (made) => unlink(made.certFile)],
    ['the leaf is unreadable', (made) => writeFile(made.certFile, 'nonsense')],
    ['the leaf is cut short', (made) => writeFile(made.certFile, made.cert.slice(0, 200))],
    ['the key is missing', (made) => unlink(made.keyFile)],
    ['the key is unreadable', (made) => writeFile(made.keyFile, '')],
    ['the key is another one', (made) => writeFile(made.keyFile, anotherKey('prime256v1'))],
    ['the key is of another kind', (made) => writeFile(made.keyFile, anotherKey('secp384r1'))],
    ['the copy of the authority is missing', (made) => unlink(made.caFile)],
    ['the copy of the authority is another one', (made) => writeFile(made.caFile, made.cert)],
  ];

  test.each(damages)('repairs it when %s, with the same authority', async (_name, damage) => {
    const { dir, made } = await first();
    await damage(made);
    const again = await ensureLocalCertificate(dir, now, 'build-7');
    expect(again.ca).toBe(made.ca);
    expect(new X509Certificate(again.cert).checkPrivateKey(createPrivateKey(again.key))).toBe(true);
    expect(await verify(again, now, '-verify_hostname', 'localhost')).toContain('OK');
    expect((await stat(again.keyFile)).mode & 0o777).toBe(0o600);
    expect(await ensureLocalCertificate(dir, now, 'build-7')).toEqual(again);
  });

  test.each([
    ['unreadable', 0, 'nonsense'],
    ['missing', 0, undefined],
    ['expired', 4_000, ''],
    ['too old to sign a leaf', 3_640, ''],
  ])('makes a new authority when the old one is %s', async (_name, days, text) => {
    const { dir, made } = await first();
    const file = join(dir, 'ca-key.pem');
    if (text === undefined) await unlink(file);
    else if (text) await writeFile(file, text);
    const again = await ensureLocalCertificate(dir, later(days), 'build-7');
    expect(again.ca).not.toBe(made.ca);
    expect(await verify(again, later(days), '-verify_hostname', 'localhost')).toContain('OK');
  });

  test('a leaf never outlives its authority', async () => {
    const { dir } = await first();
    const again = await ensureLocalCertificate(dir, later(3_500), 'build-7');
    const [leaf, authority] = [new X509Certificate(again.cert), new X509Certificate(again.ca)];
    expect(leaf.validToDate).toEqual(authority.validToDate);
  });

  test('on a renamed machine still serves the local names, without the new name that its authority may not sign for', async () => {
    const { dir, made } = await first();
    const again = await ensureLocalCertificate(dir, now, 'other');
    expect(again).toEqual(made);
    await unlink(made.certFile);
    const renewed = await ensureLocalCertificate(dir, now, 'other');
    expect(await verify(renewed, now, '-verify_hostname', 'localhost')).toContain('OK');
    expect(new X509Certificate(renewed.cert).checkHost('other')).toBeUndefined();
  });

  test('removes the access of others to a key', async () => {
    const { dir, made } = await first();
    await chmod(made.keyFile, 0o644);
    await ensureLocalCertificate(dir, now, 'build-7');
    expect((await stat(made.keyFile)).mode & 0o777).toBe(0o600);
  });
});

test.each([
  ['Build-7', 'build-7'],
  ['host.example.com', 'host.example.com'],
  ['localhost', undefined],
  ['', undefined],
  ['my_box', undefined],
  ['-box', undefined],
  ['10.0.0.7', undefined],
  ['büro', undefined],
  ['x'.repeat(64), undefined],
  [`${'x.'.repeat(130)}x`, undefined],
])('a machine called %j is named %s in its certificate', (name, expected) => {
  expect(machineName(name)).toBe(expected);
});

function anotherKey(namedCurve: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

describe('a pair of the operator', () => {
  let made: LocalCertificate;
  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'tollgate-certificates-'));
    made = await ensureLocalCertificate(dir, now);
    await rm(dir, { recursive: true });
  });
  const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const otherKey = String(other.privateKey.export(pem));
  const sealed = String(other.privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'secret' }));

  test('that fits is accepted, with the chain and blank lines around it', () => {
    const { cert, key, ca } = made;
    expect(readPair(`\n${cert}${ca}`, key).certificate.subject).toBe(new X509Certificate(cert).subject);
  });

  test.each<[string, (pair: LocalCertificate) => [cert: string, key: string], RegExp]>([
    [
      'another key',
      ({ cert }) => [cert, otherKey],
      /^TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE: /,
    ],
    ['no certificate', ({ key }) => ['hello', key], /^TLS_CERT_FILE holds no certificate in PEM format: /],
    ['half a certificate', ({ cert, key }) => [cert.slice(0, 200), key], /^TLS_CERT_FILE holds no certificate/],
    ['the two exchanged', ({ cert, key }) => [key, cert], /^TLS_CERT_FILE holds no certificate/],
    ['no key', ({ cert }) => [cert, 'hello'], /^TLS_KEY_FILE holds no private key in PEM format: /],
    ['a key with a passphrase', ({ cert }) => [cert, sealed], /^TLS_KEY_FILE is encrypted: /],
    [
      'a damaged chain',
      ({ cert, key, ca }) => [cert + ca.slice(0, 200), key],
      /^TLS_CERT_FILE and TLS_KEY_FILE cannot be used: /,
    ],
  ])('is refused: %s', (_, pairOf, sentence) => {
    const [cert, key] = pairOf(made);
    expect(() => readPair(cert, key)).toThrow(sentence);
  });
});
