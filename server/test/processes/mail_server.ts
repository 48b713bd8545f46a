import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail server that can fall silent: before it takes anything, or after it has a mail and before it answers. */
export class MailServer {
  mode: 'answers' | 'silent' | 'silent_after_mail' = 'answers';
  /** All mails that it has got, in their order: the Message-ID, and everything but the date and the boundary of its parts. */
  readonly got: { id: string; text: string }[] = [];
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    this.connections += 1;
    if (this.mode !== 'silent') socket.write('220 scripted ESMTP\r\n');
    let rest = '';
    let mail: string | undefined;
    socket.on('data', (chunk) => {
      if (this.mode === 'silent') return;
      rest += chunk.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (mail !== undefined && line !== '.') mail += `${line}\n`;
        else if (mail !== undefined) {
          const [, boundary = ''] = /boundary="(.*)"/.exec(mail) ?? [];
          const text = mail.replace(/^Date: .*$/m, '').replaceAll(boundary, '');
          this.got.push({ id: /^Message-ID: <(.*)@/m.exec(mail)![1]!, text });
          mail = undefined;
          if (this.mode !== 'silent_after_mail') socket.write('250 taken\r\n');
        } else if (line === 'DATA') {
          mail = '';
          socket.write('354 go on\r\n');
        } else socket.write(line.startsWith('EHLO') ? '250-scripted\r\n250 8BITMIME\r\n' : '250 OK\r\n');
      }
    });
  }
}
