import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import type { Limits } from './limits.ts';

/**
 * Closes a connection so that the client can read the last response. If a socket is closed while the client still sends, the
 * kernel sends a reset, and a reset discards what the client has not read yet. So this finishes writing, reads and drops
 * further bytes, and destroys the socket when the client closes it, takes too long or sends too much.
 */
export function lingeringClose(
  socket: Socket,
  limits: Pick<Limits, 'lingerMs' | 'lingerBytesMax'>,
  lastResponse?: string | Buffer,
): void {
  if (socket.destroyed) return;
  const deadline = after(limits.lingerMs, () => socket.destroy());
  socket.once('close', deadline.cancel);

  // No other listener remains, so that further bytes are not taken for a request.
  socket.removeAllListeners('data');
  let bytesLeft = limits.lingerBytesMax;
  socket.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length;
    if (bytesLeft < 0) socket.destroy();
  });
  if (lastResponse !== undefined && socket.writable) socket.write(lastResponse);
  socket.end();
  socket.resume();
}
