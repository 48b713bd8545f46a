import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../test/harness.ts';
import { type KeyPurpose, Keyring, MasterKeyError, newRootKey, openRoot, parseMasterKey, sealRoot } from './keyring.ts';
import { loadKeyring } from './root_key.ts';
import { Secret } from './secret.ts';
import { connect } from './sql.ts';

const bytes = Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7 + 200));
const master = new Secret(bytes);
const another = new Secret(randomBytes(32));
const purposes: KeyPurpose[] = ['api_key', 'fingerprint', 'redaction', 'card', 'answer', 'listen'];

describe('a master key', () => {
  const accepted: [string, string][] = [
    ['hex', bytes.toString('hex')],
    ['hex in capitals', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64 without its padding', bytes.toString('base64').replaceAll('=', '')],
    ['base64 for URLs', bytes.toString('base64url')],
    ['a line with its line feed', `${bytes.toString('base64')}\n`],
  ];
  test.each(accepted)('is read from %s', (_, text) => {
    expect(parseMasterKey(text).open()).toEqual(bytes);
  });

  const refused: [string, string][] = [
    ['nothing', ''],
    ['31 bytes of hex', bytes.toString('hex').slice(2)],
    ['33 bytes of hex', `${bytes.toString('hex')}00`],
    ['an odd number of hex digits', bytes.toString('hex').slice(1)],
    ['31 bytes of base64', bytes.subarray(1).toString('base64')],
    ['33 bytes of base64', Buffer.concat([bytes, Buffer.of(0)]).toString('base64')],
    [
      'base64 with a character outside its alphabet',
      `${bytes.toString('base64').slice(0, 20)}!${bytes.toString('base64').slice(20)}`,
    ],
    ['words', 'correct horse battery staple correct horse battery sta'],
  ];
  test.each(refused)('is refused when it is %s', (_, text) => {
    expect(() => parseMasterKey(text)).toThrow(MasterKeyError);
  });

  test('is never printed', () => {
    const key = parseMasterKey(bytes.toString('hex'));
    expect(`${key} ${JSON.stringify({ key })} ${inspect({ key })}`).toBe(
      '[secret] {"key":"[secret]"} { key: [secret] }',
    );
  });
});

describe('the root key', () => {
  const root = newRootKey();
  const sealed = sealRoot(master, 1, root);

  test('is opened by the master key that sealed it', () => {
    expect(openRoot(master, 1, sealed).open()).toEqual(root);
  });

  test('is sealed differently every time, and its bytes are not in the sealed ones', () => {
    expect(sealRoot(master, 1, root)).not.toEqual(sealed);
    expect(sealed.includes(root)).toBe(false);
  });

  test('does not open under another master key, nor for another version', () => {
    expect(() => openRoot(another, 1, sealed)).toThrow(MasterKeyError);
    expect(() => openRoot(master, 2, sealed)).toThrow(MasterKeyError);
  });

  test('does not open when a single bit of it was changed, or a byte is missing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: sealed.length * 8 - 1 }), (bit) => {
        const damaged = Buffer.from(sealed);
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => openRoot(master, 1, damaged)).toThrow(MasterKeyError);
      }),
    );
    expect(() => openRoot(master, 1, sealed.subarray(0, -1))).toThrow(MasterKeyError);
    expect(() => openRoot(master, 1, sealed.subarray(1))).toThrow(MasterKeyError);
  });
});

describe('a keyring', () => {
  const root = newRootKey();
  const keyring = new Keyring(new Secret(root));

  test('gives equal hashes for equal purposes and texts only', () => {
    const hash = keyring.hmac('api_key', 'text');
    expect(hash).toHaveLength(32);
    expect(keyring.hmac('api_key', Buffer.from('text'))).toEqual(hash);
    expect(new Keyring(new Secret(root)).hmac('api_key', 'text')).toEqual(hash);
    expect(keyring.hmac('api_key', 'text ')).not.toEqual(hash);
    expect(new Keyring(new Secret(newRootKey())).hmac('api_key', 'text')).not.toEqual(hash);
  });

  test('gives different hashes for different purposes', () => {
    const hashes = purposes.map((purpose) => keyring.hmac(purpose, 'text').toString('hex'));
    expect(new Set(hashes).size).toBe(purposes.length);
  });

  test('gives the same hashes after its root was sealed again under a new master key', () => {
    const resealed = sealRoot(another, 1, openRoot(master, 1, sealRoot(master, 1, root)).open());
    const reopened = new Keyring(openRoot(another, 1, resealed));
    for (const purpose of purposes) expect(reopened.hmac(purpose, 'text')).toEqual(keyring.hmac(purpose, 'text'));
    expect(() => openRoot(master, 1, resealed)).toThrow(MasterKeyError);
  });
});

describe('the keyring of a database', () => {
  test('is made once when several servers start at the same time, and opened by its own master key only', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(database.address, 'test')));
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));

    const keyrings = await Promise.all(clients.map((client) => loadKeyring(client, { current: master })));
    const hashes = keyrings.map((keyring) => keyring.hmac('api_key', 'text').toString('hex'));
    expect(new Set(hashes).size).toBe(1);
    const again = await loadKeyring(clients[0]!, { current: master });
    expect(again.hmac('api_key', 'text').toString('hex')).toBe(hashes[0]);

    await expect(loadKeyring(clients[0]!, { current: another })).rejects.toThrow(MasterKeyError);
    const stored = await clients[0]!.query('select version from root_keys');
    expect(stored.rows).toEqual([{ version: 1 }]);
  });
});
