import { Agent, request } from 'undici';
import { isLoopback } from '../base/loopback.ts';
import { pause } from '../base/timers.ts';

/** How notices reach their receivers. The fake's own list of events is complete in any case. */
export type FakeDelivery = {
  /** How often each notice is sent. */
  copies: number;
  delayMs: number;
  /** Kept back until it is false again. */
  isHeld: boolean;
  /** Of those that were held. */
  order: 'as_made' | 'reversed';
  /** Never sent. */
  isDropped: boolean;
};

/** A receiver of notices, and how they are signed for it. */
export type FakeReceiver = { url: string; sign(body: string): Record<string, string> };

const attemptsMax = 5;
const firstRetryMs = 100;
const answerMs = 10_000;

/** Whether a fake may send notices there: they stay on this machine. */
export function isReachable(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/** Sends notices (webhooks): again if they are not accepted, and in other ways by command. */
export abstract class FakeNotices<Notice> {
  /** Only loopback is reached, where any certificate is accepted. */
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });
  readonly #stop = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  readonly #held: Notice[] = [];
  #delivery: FakeDelivery = { copies: 1, delayMs: 0, isHeld: false, order: 'as_made', isDropped: false };

  /** Sends notices to this address from now on. */
  abstract register(url: string): object;

  protected abstract receiversOf(notice: Notice): readonly FakeReceiver[];

  /** Called when a receiver has accepted the notice, or has failed to accept it for the last time. */
  protected abstract onSent(notice: Notice): void;

  /** Changes how notices are delivered from now on. Those that were held are sent when nothing is held. */
  deliver(change: Partial<FakeDelivery>): void {
    this.#delivery = { ...this.#delivery, ...change };
    if (this.#delivery.isHeld) return;
    const notices = this.#held.splice(0);
    if (this.#delivery.order === 'reversed') notices.reverse();
    // One after the other, so that the order is what was asked for.
    if (notices.length > 0) this.#track(this.#sendInTurn(notices));
  }

  /** Resolves when nothing is being sent, retries included. What is held does not count. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#agent.destroy();
  }

  protected take(notice: Notice): void {
    if (this.#delivery.isDropped) return;
    if (this.#delivery.isHeld) this.#held.push(notice);
    else this.#track(this.#send(notice));
  }

  #track(work: Promise<void>): void {
    this.#sending.add(work);
    void work.finally(() => this.#sending.delete(work));
  }

  async #sendInTurn(notices: readonly Notice[]): Promise<void> {
    for (const notice of notices) await this.#send(notice);
  }

  async #send(notice: Notice): Promise<void> {
    const { copies, delayMs } = this.#delivery;
    if (delayMs > 0) await pause(delayMs);
    await Promise.all(
      this.receiversOf(notice).map(async (receiver) => {
        for (let copy = 0; copy < copies; copy += 1) await this.#sendTo(receiver, notice);
        this.onSent(notice);
      }),
    );
  }

  async #sendTo({ url, sign }: FakeReceiver, notice: Notice): Promise<void> {
    const body = JSON.stringify(notice, null, 2);
    for (let attempt = 0; attempt < attemptsMax && !this.#stop.signal.aborted; attempt += 1) {
      if (attempt > 0) await pause(firstRetryMs * 2 ** (attempt - 1));
      if (await this.#post(url, body, sign(body))) return;
    }
  }

  async #post(url: string, body: string, signature: Record<string, string>): Promise<boolean> {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', ...signature },
        body,
        dispatcher: this.#agent,
        headersTimeout: answerMs,
        bodyTimeout: answerMs,
        signal: this.#stop.signal,
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false; // no receiver, or a slow one: retried
    }
  }
}
