import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { idTime } from '../../base/id.ts';
import { catalog, requestable } from '../../catalog.ts';
import { ApiClient } from '../../commands/api/client.ts';
import { cause } from '../../commands/trigger/index.ts';
import { type Examples, examplesPath, readExamples } from '../../http/pages/openapi/examples.ts';
import { answer, startReceiver } from '../../outbox/receiver.fixture.ts';
import { Checkout, cards } from '../../resources/selling/checkout_sessions/checkout.fixture.ts';
import type { Client } from '../client.ts';
import { startServer } from '../harness.ts';
import { testPassword } from '../person.ts';
import { Recorder, type Shown } from './recorder.ts';
import { stabilized } from './stable.ts';
import { tell } from './story.ts';

/** Set by scripts/record-examples.ts. */
const isRecording = process.env.RECORD_EXAMPLES === '1';

/**
 * At noon of the same day of the next year, so that days and months end where they do in the recording. Never in the past: deliveries are
 * leased by the clock of the database, and a clock that is behind it would have to wait for them.
 */
const began = Date.UTC(new Date().getUTCFullYear() + 1, 0, 4, 12) / 1_000;
const shownBeginning = Date.UTC(2027, 0, 4, 12) / 1_000;

async function record(): Promise<Examples> {
  const clock = virtualClock(began * 1_000);
  const environment = { PUBLIC_URL: 'https://pay.example', WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };
  const mailed: string[] = [];
  const server = await startServer({
    ...{ clock, environment, onePostgres: true },
    mail: {
      isSetUp: true,
      isDelivered: true,
      async send({ text }) {
        mailed.push(text);
        return { kind: 'sent' };
      },
    },
  });
  const works = await startReceiver(answer('200 OK', 'thanks'));
  const gone = await startReceiver(answer('410 Gone'));
  // The request log has partitions for the days around today only.
  for (const table of ['requests', 'request_bodies'])
    await server.sql.query(`create table ${table}_of_story partition of ${table} default`);
  const account = await server.account();
  const { id, test: client, testKey } = account;
  const owner = { email: 'ada@shop.example', password: testPassword, role: 'owner' };
  await server.operator.run('users.create', { account: id, parameters: owner });
  const shop = new Recorder(server, client, { clock, mailed });
  shop.person = shop.person.with({ 'X-Tollgate-Account': id, 'X-Tollgate-Mode': 'test' });
  await tell(shop, {
    works: `http://127.0.0.1:${works.port}/hooks`,
    gone: `http://127.0.0.1:${gone.port}/old-hooks`,
  });
  await payCheckouts(new Checkout(server, account), shop);
  await causeOthers(client, new ApiClient({ base: server.baseUrl, key: testKey, ca: server.ca }));
  const recorded = { operations: inOrder(shop.examples), events: await oneOfEachType(client) };
  await server.stop();
  return stabilized(recorded, { began, shownBeginning, texts });
}

const texts: [RegExp, string][] = [
  [/http:\/\/127\.0\.0\.1:\d+/, 'https://shop.example'],
  [/^digest:.+/, 'digest:EXAMPLEexampleEX'],
  [/whsec_.+/, 'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample'],
  [/\b[A-Z2-7]{32}\b/, 'EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAM'],
  [/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/, 'exam-ple2-exam-ple3'],
  [/^\d{6}$/, '123456'],
  [/^[2-9A-HJKMNP-Z]{6}$/, '7KQ2MX'],
  [/(^|=)[0-9A-Za-z]{46}$/, '$1EXAMPLEexampleEXAMPLEexampleEXAMPLEexample12345'],
  [/^[\w-]{80,}$/, 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexample1'],
  [/^[\w-]{43}$/, 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexample1'],
  [/^([sr]k)_test_tg_\w+$/, '$1_EXAMPLEexampleEXAMPLEexampleEXAMPLE123'],
  [/^[0-9a-f]{64}$/, 'e5'.repeat(32)],
  [/^v1,.+/, 'v1,EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPL='],
  [/(pay|l|i|portal\/link)\/\d+-((?:cs|plink|in|ps)_\w+)-[\w-]{22}/, '$1/1-$2-EXAMPLEexampleEXAMPLE1'],
  [/mail\/\d+-([\w.-]+)-\d{10}-[\w-]{22}$/, 'mail/1-$1-1799064000-EXAMPLEexampleEXAMPLE1'],
  [/\b[A-Z][a-z]+ \d{1,2}, 20\d\d\b/, 'January 4, 2027'],
  [/^<!doctype html>[\s\S]+/, '<!doctype html>…'],
  [/challenge\/\w+/, 'challenge/EXAMPLEexampleEXAMPLE1'],
];

/** In the order of the operations, whatever the order of the story is. */
function inOrder(examples: Examples['operations']): Examples['operations'] {
  const named = requestable(catalog).map(({ name }) => [name, examples[name]]);
  return Object.fromEntries(named.filter(([, example]) => example !== undefined));
}

/** What customers do on the page of a checkout session. A merchant reviews the one that was paid. */
async function payCheckouts(checkout: Checkout, shop: Recorder): Promise<void> {
  for (const number of [cards.good, cards.declined, cards.lost]) {
    const { customer, payment_method } = await checkout.saved(number);
    const session = await checkout.create({ customer_email: null, customer });
    await checkout.pay(session, '', { instrument: { kind: 'saved', payment_method } });
    if (number !== cards.good) continue;
    await shop.cameLate(session.id);
    await shop.call('checkout_sessions.review', { id: session.id });
  }
}

/** Events that do not happen in the story are caused as `tollgate trigger` does, so a new type needs no change here. */
async function causeOthers(client: Client, commands: ApiClient): Promise<void> {
  const happened = await oneOfEachType(client);
  for (const type of catalog.eventTypes.filter((one) => happened[one] === undefined))
    await cause(type, commands, () => {});
  commands.close();
}

/** The first event of each type. Those of one moment differ in their content. */
async function oneOfEachType(client: Client): Promise<Examples['events']> {
  const all: Shown[] = [];
  for (let after = '', more = true; more; after = `&starting_after=${all.at(-1).id}`) {
    const page = (await client.get(`/v1/events?limit=100${after}`)).json;
    all.push(...page.data);
    more = page.has_more;
  }
  const rank = (event: Shown) =>
    [idTime(event.id), event.created, JSON.stringify(event).replaceAll(/_\w{22}/g, '')].join();
  const sorted = all.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const found = catalog.eventTypes.map((type) => [type, sorted.find((event) => event.type === type)]);
  return Object.fromEntries(found.filter(([, event]) => event !== undefined));
}

test('the examples are what a server answers today', async () => {
  const recorded = await record();
  if (isRecording) writeFileSync(examplesPath, `${JSON.stringify(recorded, null, 2)}\n`);
  const written = JSON.parse(JSON.stringify(recorded));
  expect(written, 'answers have changed; `npm run generate` records them').toEqual(readExamples());
});
