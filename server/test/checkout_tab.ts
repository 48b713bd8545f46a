import type { OutgoingHttpHeaders } from 'node:http';
import type { Answer, Client } from './client.ts';

/** A customer's tab on a page of the checkout: it keeps the cookie, and sends the forms that it was shown. */
export class CheckoutTab {
  readonly path: string;
  readonly #client: Client;
  #cookie: string | undefined;
  #shown = new Map<string, string>();

  /** `url`: of a session, or of a payment link. A tab of the same browser has its cookie. */
  constructor(client: Client, url: string, browser?: CheckoutTab) {
    this.#client = client;
    this.path = new URL(url).pathname;
    this.#cookie = browser?.cookie;
  }

  get cookie(): string | undefined {
    return this.#cookie;
  }

  /** The hidden values of the form to pay with. */
  get hidden(): Record<string, string> {
    return Object.fromEntries(this.#shown);
  }

  async open(query = ''): Promise<Answer> {
    const headers = this.#cookie === undefined ? {} : { Cookie: this.#cookie };
    const answer = await this.#client.get(`${this.path}${query}`, { headers });
    const [made] = answer.headers['set-cookie'] ?? [];
    if (made !== undefined) this.#cookie = made.split(';')[0]!;
    this.#read(answer.text);
    return answer;
  }

  /** Sends a form of the page that is shown. */
  async send(fields: Record<string, string>, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const { form_token = '', total = '' } = this.hidden;
    const body = new URLSearchParams({ form_token, ...(fields.act === 'pay' && { total }), ...fields }).toString();
    const own = { Cookie: this.#cookie, 'Sec-Fetch-Site': 'same-origin', Origin: 'null' };
    const answer = await this.#client.form(this.path, body, { ...own, ...headers });
    if (answer.headers['content-type']?.startsWith('text/html') && answer.text !== '') this.#read(answer.text);
    return answer;
  }

  /** Presses the button, with a card in our own fields unless it is said. */
  pay(fields: Record<string, string> = {}, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const card = { number: '4242424242424242', expiry: '12/40', cvc: '123' };
    return this.send({ act: 'pay', email: 'ada@example.com', ...card, ...fields }, headers);
  }

  #read(html: string): void {
    for (const [, name = '', value = ''] of html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g))
      this.#shown.set(name, value);
  }
}
