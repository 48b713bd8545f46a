import type { Clock } from '../base/clock.ts';
import { type BaseAddress, type BaseRules, objectionToBase } from './api_base.ts';
import type { HttpResult, SendHttp, WrittenRequest } from './http.ts';

export type ConversationTools = { send: SendHttp; clock: Clock; rules: BaseRules };

/** A little less than the gateway waits, so that a request is over before its outcome is inquired. */
const patienceMs = 14_000;

/** The requests of one call to a connector. They share its deadline, and a record of them is stored. */
export class Conversation {
  readonly #tools: ConversationTools;
  readonly #address: BaseAddress;
  readonly #ends: number;
  readonly #record: object[] = [];

  /** `deadline`, in epoch milliseconds, is the end of the wait for an answer. */
  constructor(tools: ConversationTools, address: BaseAddress, deadline = Number.POSITIVE_INFINITY) {
    this.#tools = tools;
    this.#address = address;
    const { clock } = tools;
    this.#ends = clock.monotonic() + Math.min(deadline - clock.now(), patienceMs);
  }

  /** The time that is left, in milliseconds. */
  get left(): number {
    return this.#ends - this.#tools.clock.monotonic();
  }

  get exchange(): object {
    return { calls: this.#record };
  }

  /** Adds a call to the record, which is stored: no parameters, no keys, no text of the processor that could quote them. */
  protected record(call: object): void {
    this.#record.push(call);
  }

  /** `write` opens secrets, so it is called only if the request is going to be sent. */
  protected async send(write: () => WrittenRequest, timeoutMs = patienceMs): Promise<HttpResult> {
    const { left } = this;
    if (left <= 0) return { kind: 'not_sent', reason: 'no time was left' };
    const objection = objectionToBase(this.#address, this.#tools.rules);
    if (objection !== undefined) return { kind: 'not_sent', reason: `api_base: ${objection}` };
    return this.#tools.send({ ...write(), origin: this.#address.base, timeoutMs: Math.min(timeoutMs, left) });
  }
}
