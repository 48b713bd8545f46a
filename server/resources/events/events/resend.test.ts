import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
});
afterAll(() => server.stop());

test('an event that an operator resends is in the audit log, one that a key resends is not', async () => {
  const endpoint = { url: 'http://127.0.0.1:9/hook', enabled_events: ['customer.*'] };
  const { id: endpointId } = (await account.test.post('/v1/webhook_endpoints', endpoint)).json;
  await account.test.post('/v1/customers', { name: 'Ada' });
  const [event] = (await account.test.get('/v1/events')).json.data;
  const audited = async () => {
    const text = 'select actor, action, account, details from audit where subject = $1';
    return (await server.sql.query(text, [event.id])).rows;
  };

  expect((await account.test.post(`/v1/events/${event.id}/resend`)).json).toEqual(event);
  expect(await audited()).toEqual([]);

  expect(await server.operator.run('events.resend', { account: account.id, id: event.id })).toEqual(event);
  expect(await audited()).toEqual([
    { actor: 'test', action: 'event.resent', account: account.id, details: { webhook_endpoints: [endpointId] } },
  ]);
});
