import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

describe('customers', () => {
  test('a customer with everything supplied has exactly the fields of the interface', async () => {
    const input = { email: 'ada@example.com', name: 'Ada', phone: '+44 20 7946 0000', metadata: { plan: 'gold', seats: 3, vip: true } };
    const answer = await account.test.post('/v1/customers', input);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ id: expect.stringMatching(/^cus_[0-9A-Za-z]{22}$/), object: 'customer', ...input, created: expect.any(Number) });
    expect(Object.keys(answer.json)).toEqual(['id', 'object', 'email', 'name', 'phone', 'metadata', 'created']);
    expect(Math.abs(answer.json.created - Date.now() / 1_000)).toBeLessThan(5);
    const read = await account.test.get(`/v1/customers/${answer.json.id}`);
    expect(read.text).toBe(answer.text);
  });
});
