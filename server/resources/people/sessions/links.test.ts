import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/harness.ts';
import type { SignInLinkShown } from './schema.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('a link signs in once', async () => {
  const { id: account } = await server.account();
  const { id, email } = await server.person(account, 'owner');
  const { token: link } = await server.operator.run<SignInLinkShown>('sessions.create_link', { id });
  const visitor = server.anonymous.with({ Origin: server.baseUrl });
  const first = await visitor.post('/v1/sessions', { link });
  expect(first).toMatchObject({ status: 200, json: { user: { id, email } } });
  const second = await visitor.post('/v1/sessions', { link });
  expect(second).toMatchObject({ status: 401, json: { error: { code: 'sign_in_failed' } } });
});
