import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import { hangUp } from './hang_up.ts';
import type { Limits } from './limits.ts';

/** A request, and the answer that we owe for it. */
export type OwedAnswer = { req: IncomingMessage; res: ServerResponse; keepAlive: boolean };

/** A connection on which HTTP is spoken. */
export type Conversation = {
  readonly socket: Socket;
  /** Oldest first: a client may send its next request before it has the answer to the last one. */
  readonly unanswered: Set<OwedAnswer>;
  latest: OwedAnswer | undefined;
  /** What had been read when the last answer went out. More than this, and a further request has begun to arrive. */
  bytesReadWhenIdle: number;
  /** open: takes requests. closing: takes no more, still owes answers. over: our last word is said. */
  state: 'open' | 'closing' | 'over';
  /** What to say before hanging up, asked for when it is time to say it. */
  lastWords: () => string | undefined;
};

const nothing = () => undefined;

/** The process takes requests; or it answers each with `Connection: close`; or it also ends what is idle. */
type Phase = 'serving' | 'draining' | 'stopped';

export type Conversations = ReturnType<typeof createConversations>;

export function createConversations(limits: Limits) {
  const open = new Map<Socket, Conversation>();
  let phase: Phase = 'serving';

  function begin(socket: Socket): void {
    const conversation: Conversation = {
      socket,
      unanswered: new Set(),
      latest: undefined,
      bytesReadWhenIdle: 0,
      state: 'open',
      lastWords: nothing,
    };
    open.set(socket, conversation);
    socket.once('close', () => open.delete(socket));
    // After CONNECT the HTTP server no longer listens for errors, and an error without a listener ends the process.
    socket.on('error', () => {});
    // How the HTTP server closes after a response with `Connection: close`. Its own way resets a client that is still
    // sending the body of a request that was refused early.
    socket.destroySoon = () => end(conversation);
    if (phase === 'stopped') dismiss(conversation);
  }

  /** Notes a request. Returns nothing when it must not be handled, because its answer could no longer be sent. */
  function take(req: IncomingMessage, res: ServerResponse): Conversation | undefined {
    const conversation = open.get(req.socket);
    if (conversation?.state !== 'open' || saidClose(conversation)) {
      req.resume();
      return undefined;
    }
    const exchange = { req, res, keepAlive: res.shouldKeepAlive };
    conversation.latest = exchange;
    conversation.unanswered.add(exchange);
    if (phase !== 'serving') announceClose(conversation);
    res.once('close', () => answered(conversation, exchange));
    return conversation;
  }

  function answered(conversation: Conversation, exchange: OwedAnswer): void {
    conversation.unanswered.delete(exchange);
    conversation.bytesReadWhenIdle = conversation.socket.bytesRead;
    if (conversation.unanswered.size > 0) return;
    if (conversation.state === 'closing' || phase === 'stopped') end(conversation, conversation.lastWords());
  }

  /** Refuses what the client sent last, after the answers to what it sent before. Nothing it sends later is handled. */
  function refuse(conversation: Conversation, lastWords: () => string | undefined): void {
    if (conversation.state !== 'open') return;
    conversation.state = 'closing';
    conversation.lastWords = lastWords;
    if (conversation.unanswered.size === 0) end(conversation, lastWords());
  }

  /**
   * Refuses a request that was already noted, because it is at fault or because its body is broken off. If it was
   * answered nevertheless, by a handler that did not wait for the body, that answer stands.
   */
  function refuseLatest(conversation: Conversation, lastWords: string): void {
    const { latest, unanswered } = conversation;
    if (latest && !latest.res.headersSent) unanswered.delete(latest);
    refuse(conversation, () => (latest?.res.headersSent ? undefined : lastWords));
  }

  function end(conversation: Conversation, lastWords?: string): void {
    if (conversation.state === 'over') return;
    conversation.state = 'over';
    hangUp(conversation.socket, limits, lastWords);
  }

  /** From now on every answer tells its client to close the connection. */
  function drain(): void {
    phase = 'draining';
    for (const conversation of open.values()) announceClose(conversation);
  }

  /** Ends what is idle now, and everything else with its last answer. */
  function stop(): void {
    phase = 'stopped';
    for (const conversation of open.values()) dismiss(conversation);
  }

  function dismiss(conversation: Conversation): void {
    const endIfIdle = () => {
      if (conversation.unanswered.size === 0) end(conversation);
    };
    const isNew = conversation.latest === undefined;
    const isArriving = conversation.socket.bytesRead > conversation.bytesReadWhenIdle;
    if (isNew || isArriving) {
      const grace = after(limits.graceMs, endIfIdle);
      conversation.socket.once('close', grace.cancel);
    } else {
      endIfIdle();
    }
  }

  return { begin, of: (socket: Socket) => open.get(socket), take, refuse, refuseLatest, drain, stop };
}

/** Only the last of several answers may say that it is the last, or those behind it would be lost. */
function announceClose(conversation: Conversation): void {
  for (const exchange of conversation.unanswered) {
    if (exchange.res.headersSent) continue;
    exchange.res.shouldKeepAlive = exchange === conversation.latest ? false : exchange.keepAlive;
  }
}

function saidClose(conversation: Conversation): boolean {
  for (const { res } of conversation.unanswered) {
    if (res.headersSent && !res.shouldKeepAlive) return true;
  }
  return false;
}
