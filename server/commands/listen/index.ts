import { reasonOf } from '../../base/sql.ts';
import { signedHeaders, signingKey } from '../../outbox/signature.ts';
import { followApi } from './api.ts';
import { followDatabase } from './database.ts';
import { type EventSink, type ListenOptions, targetOf, typesWanted } from './options.ts';
import { chosenSecret } from './secret.ts';

const answerMs = 15_000;

/**
 * Forwards an account's events to a program on this machine as they happen, signed like webhooks: those of the account that the key
 * belongs to, from the API of any server; with `--account`, from the database, which needs no key.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const target = targetOf(options.forwardTo);
  const wanted = typesWanted(options.events);
  const secret = await chosenSecret(options);
  const sink = sinkOf(target);
  const { account } = options;
  await (account === undefined
    ? followApi(options, { wanted, secret }, sink)
    : followDatabase({ ...options, account }, { wanted, secret }, sink));
}

function sinkOf(target: URL): EventSink {
  let key: ReturnType<typeof signingKey>;
  return {
    begin(secret, source) {
      key = signingKey(secret);
      console.log(`Forwarding ${source} to ${target.href}\nSigning secret: ${secret.open()}\nCtrl-C ends it.`);
    },
    async event({ id, type, payload }) {
      const seconds = Math.floor(Date.now() / 1_000);
      const signed = signedHeaders({ eventId: id, payload, seconds, key, previous: undefined });
      const began = performance.now();
      const outcome = await send(target, signed, payload);
      const time = new Date().toISOString().slice(11, 19);
      console.log(`${time}  ${type.padEnd(28)}  ${id}  ${outcome}  ${Math.round(performance.now() - began)} ms`);
    },
  };
}

/** The status of the answer, or why there is none. */
function send(target: URL, signed: Record<string, string>, payload: Buffer): Promise<string> {
  return fetch(target, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...signed },
    body: new Uint8Array(payload),
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  }).then(
    async (answer) => {
      await answer.body?.cancel();
      return String(answer.status);
    },
    (error) => `no answer (${reasonOf((error as Error).cause ?? error)})`,
  );
}
