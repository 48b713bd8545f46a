import { hideKeys } from '../../base/hidden_keys.ts';
import { isAnyId } from '../../base/id.ts';
import type { RequestBodies } from '../../resources/views/request_logs/request.ts';
import { mayContainCardNumber } from '../../vault/index.ts';
import type { Exchange } from '../exchange.ts';
import { keptAnswer, keptParameters } from '../reading/kept_copy.ts';

/** What the request log keeps of a request of test mode. What people do for themselves is theirs alone. */
export function bodiesOf(exchange: Exchange, body: string | undefined): RequestBodies | undefined {
  const { caller, operation, sent, scopes } = exchange;
  const isKept = caller?.mode === 'test' && caller.kind !== 'visitor' && !operation?.isPersonal;
  if (!isKept) return undefined;
  const parameters = sent && JSON.stringify(keptParameters(sent.values, operation!.input));
  const pathId = sent && isAnyId(sent.id) ? sent.id : undefined;
  return { pathId, parameters, answer: body && answerOf(exchange, body), scopes };
}

function answerOf({ refusal, operation, isReplayed, sent }: Exchange, body: string): string | undefined {
  // It does not repeat what was sent. Should it do so, neither a key nor a card number is kept.
  if (refusal !== undefined) return mayContainCardNumber(body) ? undefined : hideKeys(body);
  if (operation === undefined || operation.answersByCaller) return undefined;
  // The scopes that the expanded objects needed are known of the first request alone.
  if (isReplayed && sent !== undefined && 'expand' in sent.values) return undefined;
  return keptAnswer(body, operation.output);
}
