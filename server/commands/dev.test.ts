import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '../test/harness.ts';
import { cookieOf } from '../test/person.ts';
import { provideDevFile } from './dev.ts';
import { readDevFile } from './dev_file.ts';

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await startServer();
  path = join(mkdtempSync(join(tmpdir(), 'tollgate-dev-')), 'dev.json');
});
afterAll(() => server.stop());

const visitor = () => server.anonymous.with({ Origin: server.baseUrl });
const signIn = (fields: object) => visitor().post('/v1/sessions', fields);

/** As at a start: what dev.json says about the owner afterwards, and the link that is printed. */
async function start() {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { signIn: url } = await provideDevFile(server.gateway, path);
  said.mockRestore();
  return { ...readDevFile(path).dashboard!, link: url.split('#link=')[1]! };
}

test('the owner of a development server keeps a password that they have chosen, and dev.json is true', async () => {
  const first = await start();
  const { email } = first;
  const signedIn = await signIn({ link: first.link });
  expect(signedIn.json).toMatchObject({ user: { email }, accounts: [{ role: 'owner' }] });
  expect((await signIn({ email, password: first.password })).status).toBe(200);
  expect((await start()).password).toBe(first.password);

  rmSync(path); // the password is lost, and nobody has chosen it
  const second = await start();
  expect(second.password).not.toBe(first.password);
  expect((await signIn({ email, password: second.password })).status).toBe(200);

  const chosen = 'what the owner has chosen';
  const owner = visitor().with({ Cookie: cookieOf(signedIn), 'X-Tollgate-CSRF': signedIn.json.csrf_token });
  const changed = await owner.post('/v1/me/password', { password: second.password, new_password: chosen });
  expect(changed.status).toBe(200);
  const third = await start();
  expect(third.password).toBeNull();
  expect((await signIn({ email, password: chosen })).status).toBe(200);
  expect((await signIn({ link: third.link })).status).toBe(200);

  rmSync(path);
  expect((await start()).password).toBeNull();
  expect((await signIn({ email, password: chosen })).status).toBe(200);
});
