import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import type { Limits } from './limits.ts';
import { lingeringClose } from './lingering_close.ts';

/** The type of the TLS record that opens a handshake. No HTTP request can start with this byte. */
const tlsHandshake = 22;

/** Takes over a connection once its first byte is known. */
type Takers = { tls(socket: Socket): void; other(socket: Socket): void };

/** Tells TLS from everything else by the first byte, and closes connections that send nothing. */
export function createFirstByte(limits: Limits, takers: Takers) {
  const silent = new Set<Socket>();

  function wait(socket: Socket): void {
    const deadline = after(limits.firstByteMs, () => socket.destroy());
    const leave = () => socket.destroy();
    const settle = () => {
      deadline.cancel();
      silent.delete(socket);
      socket.removeListener('end', leave);
    };
    silent.add(socket);
    socket.once('close', settle);
    socket.once('end', leave);
    socket.once('data', (first: Buffer) => {
      settle();
      if (first[0] !== tlsHandshake) return takers.other(socket);
      socket.pause();
      socket.unshift(first);
      takers.tls(socket);
    });
  }

  /** Connections that have sent nothing yet are closed after a grace period. */
  function stop(): void {
    after(limits.graceMs, () => {
      for (const socket of silent) lingeringClose(socket, limits);
    });
  }

  return { wait, stop };
}
