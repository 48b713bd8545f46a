import { createServer, type Socket } from 'node:net';
import { after } from '../server/base/timers.ts';

/**
 * A mail server that takes every mail, after so many milliseconds: `node bench/mail_receiver.ts <ms>`. Prints its port, and for each line that
 * it reads how many mails it has got, and how many of those more than once since the last line.
 */
const answerMs = Number(process.argv[2] ?? 20);
let got = new Map<string, number>();

const end = '\r\n.\r\n';

class Conversation {
  readonly #socket: Socket;
  #rest = '';
  #isMail = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (chunk) => this.#read(chunk.toString('latin1')));
    socket.write('220 bench ESMTP\r\n');
  }

  #read(text: string): void {
    this.#rest += text;
    while (this.#next());
  }

  /** Whether there was a command, or the end of a mail. */
  #next(): boolean {
    const mark = this.#isMail ? end : '\r\n';
    const at = this.#rest.indexOf(mark);
    if (at < 0) return false;
    const piece = this.#rest.slice(0, at);
    this.#rest = this.#rest.slice(at + mark.length);
    if (this.#isMail) this.#take(piece);
    else this.#answer(piece.slice(0, 4).toUpperCase());
    return true;
  }

  #take(mail: string): void {
    this.#isMail = false;
    const id = /^Message-ID: (.*)$/m.exec(mail)![1]!;
    got.set(id, (got.get(id) ?? 0) + 1);
    after(answerMs, () => this.#socket.write('250 taken\r\n'));
  }

  #answer(verb: string): void {
    this.#isMail = verb === 'DATA';
    if (verb === 'QUIT') this.#socket.end('221 bye\r\n');
    else if (verb === 'EHLO') this.#socket.write('250-bench\r\n250 8BITMIME\r\n');
    else this.#socket.write(this.#isMail ? '354 go on\r\n' : '250 OK\r\n');
  }
}

const server = createServer((socket) => void new Conversation(socket));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
process.stdin.on('data', () => {
  const counts = [...got.values()];
  got = new Map();
  console.log(JSON.stringify({ mails: counts.length, twice: counts.filter((count) => count > 1).length }));
});
process.stdin.on('end', () => process.exit());
