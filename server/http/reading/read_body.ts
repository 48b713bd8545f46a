import type { IncomingMessage } from 'node:http';
import { apiError } from '../errors.ts';

export const bodyBytesMax = 262_144;

const noBytes = Buffer.alloc(0);

/** The bytes of a body as they were sent. Refuses a body of more than `bytesMax` as early as possible. */
export function readBody(request: IncomingMessage, bytesMax: number): Buffer | Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return noBytes;
  if (Number(length) > bytesMax) throw apiError('body_too_large', { limit: bytesMax });
  // If the client left during admission, its request emits no further events, and waiting for them would never end.
  if (request.destroyed) throw brokenOff();
  return request.complete ? takeBuffered(request, bytesMax) : collect(request, bytesMax);
}

/** Most bodies arrive with their headers and are already in the stream's buffer, so there is no event to wait for. */
function takeBuffered(request: IncomingMessage, bytesMax: number): Buffer {
  const bytes: Buffer = request.read() ?? noBytes;
  if (bytes.length > bytesMax) throw apiError('body_too_large', { limit: bytesMax });
  return bytes;
}

/**
 * Once the promise is settled, the listeners are removed and the stream keeps flowing: the rest of a body that is too large is dropped, and
 * the connection can serve the next request.
 */
function collect(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = () => request.off('data', onData).off('end', onEnd).off('error', onError);
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) return void chunks.push(chunk);
      settle();
      reject(apiError('body_too_large', { limit: bytesMax }));
    };
    const onEnd = () => {
      settle();
      const [only = noBytes] = chunks;
      resolve(chunks.length <= 1 ? only : Buffer.concat(chunks, bytes));
    };
    const onError = () => {
      settle();
      reject(brokenOff());
    };
    request.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

function brokenOff() {
  return apiError('request_malformed', { reason: 'the connection ended before the body was complete' });
}
