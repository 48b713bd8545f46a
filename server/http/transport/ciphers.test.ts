import { expect, test } from 'vitest';
import { close, dial, direct, host } from './harness.ts';

/** With the certificate of the tests, whose key is ECDSA. A server with an RSA certificate offers the RSA twin of each suite. */
test.each([
  ['ECDHE-ECDSA-AES128-GCM-SHA256', true],
  ['ECDHE-ECDSA-AES256-GCM-SHA384', true],
  ['ECDHE-ECDSA-CHACHA20-POLY1305', true],
  ['ECDHE-ECDSA-AES128-SHA256', false],
  ['ECDHE-ECDSA-AES256-SHA384', false],
  ['ECDHE-ECDSA-AES128-SHA', false],
  ['ECDHE-ECDSA-AES256-SHA', false],
  ['ECDHE-ECDSA-AES128-CCM', false],
])('TLS 1.2 with %s is spoken: %s', async (cipher, spoken) => {
  const options = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: `${cipher}:@SECLEVEL=0` } as const;
  const line = await dial(await direct(), options);
  if (!spoken) return expect(await line.ended).toMatch(/ALERT_HANDSHAKE_FAILURE$/);
  line.socket.write(`GET / HTTP/1.1\r\n${host}${close}\r\n`);
  expect(await line.ended).toBe('end');
  expect(line.received()).toContain('GET / 0');
});
