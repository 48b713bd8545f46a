import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import type { Limits } from './limits.ts';

/**
 * Closes a connection so that the client can read our last response. Closing a socket while the client still sends makes
 * the kernel answer with a reset, and a reset throws away what the client has not read yet. So we finish writing, read
 * and drop what still comes, and destroy the socket when the client closes it, takes too long or sends too much.
 */
export function lingeringClose(
  socket: Socket,
  limits: Pick<Limits, 'lingerMs' | 'lingerBytesMax'>,
  lastResponse?: string | Buffer,
): void {
  if (socket.destroyed) return;
  const deadline = after(limits.lingerMs, () => socket.destroy());
  socket.once('close', deadline.cancel);

  // Nobody else listens from here on, so that what still comes is not taken for a request.
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
