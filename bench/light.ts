import { readFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const clients = 4;
const pauseMs = 10;

export type Latencies = { requests: number; failed: number; p50_ms: number; p99_ms: number };

/** A light load of payments and retrievals, one after the other with a pause between, until `ended` resolves. */
export async function lightLoad(
  { agent, port, key, methods }: { agent: Agent; port: number; key: string; methods: string },
  ended: Promise<unknown>,
): Promise<Latencies> {
  const ids = readFileSync(methods, 'utf8').trim().split('\n');
  const times: number[] = [];
  let [isOver, failed] = [false, 0];
  const stop = ended.finally(() => {
    isOver = true;
  });
  const timed = async (method: 'GET' | 'POST', path: string, body?: object): Promise<string> => {
    const began = performance.now();
    const answer = await call(agent, port, key, method, path, body);
    times.push(performance.now() - began);
    if (answer.status !== 200) failed += 1;
    return answer.id;
  };
  const client = async (number: number) => {
    for (let at = number; !isOver; at += clients) {
      const payment_method = ids[at % ids.length];
      const payment = await timed('POST', '/v1/payments', { amount: 1_000, currency: 'eur', payment_method });
      await sleep(pauseMs);
      await timed('GET', `/v1/payments/${payment}`);
      await sleep(pauseMs);
    }
  };
  await Promise.all([stop, ...Array.from({ length: clients }, (_, at) => client(at))]);
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
  return { requests: times.length, failed, p50_ms: quantile(0.5), p99_ms: quantile(0.99) };
}

function call(agent: Agent, port: number, key: string, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return new Promise<{ status: number; id: string }>((resolve, reject) => {
    const sent = request({ agent, port, host: 'localhost', path, method, headers }, async (answer) => {
      const text = await answer.setEncoding('utf8').reduce((all: string, chunk: string) => all + chunk, '');
      resolve({ status: answer.statusCode!, id: JSON.parse(text).id });
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
