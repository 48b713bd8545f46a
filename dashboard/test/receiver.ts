import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Taken = { headers: Readonly<Record<string, string>>; body: string };

/** A program on this machine that takes webhooks, and answers as configured, until the test is over. */
export async function openReceiver(status: number, answer = '') {
  const receiver = { url: '', status, answer, taken: [] as Taken[] };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      receiver.taken.push({ headers: request.headers as Taken['headers'], body });
      response.writeHead(receiver.status, { 'Content-Type': 'text/html' }).end(receiver.answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** Whether a request was signed with a secret, as a receiver tells. */
export function isSignedWith(secret: string, { headers, body }: Taken): boolean {
  return headers['x-service-signature'] === createHmac('sha256', secret).update(body).digest('hex');
}
