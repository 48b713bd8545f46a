import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import type { Limits } from './limits.ts';

/**
 * Ends a connection so that the other side can read our last words. Closing a socket while the client still sends makes
 * the kernel answer with a reset, and a reset throws away what the client has not read yet. So we finish writing, read
 * and drop what still comes, and let go when the client does, or when it takes too long or sends too much.
 */
export function hangUp(
  socket: Socket,
  limits: Pick<Limits, 'lingerMs' | 'lingerBytesMax'>,
  lastWords?: string | Buffer,
): void {
  if (socket.destroyed) return;
  const patience = after(limits.lingerMs, () => socket.destroy());
  socket.once('close', patience.cancel);

  // Nobody else listens from here on, so that what still comes is not taken for a request.
  socket.removeAllListeners('data');
  let bytesLeft = limits.lingerBytesMax;
  socket.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length;
    if (bytesLeft < 0) socket.destroy();
  });
  if (lastWords !== undefined && socket.writable) socket.write(lastWords);
  socket.end();
  socket.resume();
}
