import { afterAll, expect, test, vi } from 'vitest';
import { connect } from '../../base/sql.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children } from './children.ts';
import { WebhookReceiver } from './webhook_receiver.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const receiver = new WebhookReceiver();
let drop = async () => {};

afterAll(async () => {
  await children.cleanUp();
  await receiver.close();
  await drop();
});

// In every run, deliverer_leases.test.ts tests an outcome that comes too late, within one process.
test.runIf(isTorture)(
  'a server that stalls longer than its leases loses them, what it does afterwards is not recorded, and it recovers alone',
  async () => {
    const database = await createDatabase();
    drop = database.drop;
    const sql = children.keep(await connect(database.address, 'test'));
    const environment = children.serveEnvironment({
      DATABASE_URL: database.url,
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    });
    const stalled = await children.serve(environment);
    const key = (await children.account(environment)).test_secret_key;
    const client = stalled.client(key);
    await receiver.listen();
    const endpoint = await client.post('/v1/webhook_endpoints', {
      url: receiver.url,
      enabled_events: ['customer.created'],
    });
    receiver.secret = endpoint.json.secret;

    // It stalls with a webhook in flight, and a request that it has not read.
    const answer = receiver.hold();
    await client.post('/v1/customers', { name: 'before' });
    await until('the webhook has arrived', patienceMs, () => receiver.requests === 1);
    stalled.child.signal('SIGSTOP');
    const meanwhile = client.post('/v1/customers', { name: 'meanwhile' });
    const other = await children.serve(environment);
    expect((await other.client(key).get('/v1/customers')).status).toBe(200);
    answer();
    await sql.query(`update deliveries set lease_until = now() - interval '1 second' where lease_until is not null`);
    await until('the other one has sent it', patienceMs, () => receiver.requests === 2);
    const delivered = async () =>
      (await sql.query(`select id, version, state, attempts from deliveries where state = 'delivered'`)).rows;
    await until('it is recorded', patienceMs, async () => (await delivered()).length === 1);
    const [first] = await delivered();

    stalled.child.signal('SIGCONT');
    expect((await meanwhile).status).toBe(200);
    await until('both are delivered', patienceMs, async () => (await delivered()).length === 2);
    expect(await delivered()).toContainEqual(first); // the late outcome of the stalled server has changed nothing
    expect(receiver.violations).toEqual([]);
    expect((await client.get('/readyz')).status).toBe(200);
    expect((await client.post('/v1/customers', { name: 'afterwards' })).status).toBe(200);
    expect(await stalled.child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  },
);
