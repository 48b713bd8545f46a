import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import { hangUp } from './hang_up.ts';
import type { Limits } from './limits.ts';

/** The content type of a TLS record that opens a handshake; no HTTP request can start with this byte. */
const tlsHandshake = 22;

/** What happens to a connection once its first byte has told what it is. */
export type Ways = { tls(socket: Socket): void; other(socket: Socket): void };

/** Tells TLS from everything else, and closes connections that say nothing. */
export function createFirstByte(limits: Limits, ways: Ways) {
  const silent = new Set<Socket>();

  function wait(socket: Socket): void {
    const patience = after(limits.firstByteMs, () => socket.destroy());
    const leave = () => socket.destroy();
    const settle = () => {
      patience.cancel();
      silent.delete(socket);
      socket.removeListener('end', leave);
    };
    silent.add(socket);
    socket.once('close', settle);
    socket.once('end', leave);
    socket.once('data', (first: Buffer) => {
      settle();
      if (first[0] !== tlsHandshake) return ways.other(socket);
      socket.pause();
      socket.unshift(first);
      ways.tls(socket);
    });
  }

  /** Connections that have said nothing yet are about to, or never will: they get a moment, and then the end. */
  function stop(): void {
    after(limits.graceMs, () => {
      for (const socket of silent) hangUp(socket, limits);
    });
  }

  return { wait, stop };
}
