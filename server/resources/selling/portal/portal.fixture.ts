import type { OutgoingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { Answer, Client } from '../../../test/client.ts';

/** A customer's browser in the portal: it keeps cookies, and sends the forms that it was shown. */
export class PortalBrowser {
  readonly #client: Client;
  readonly #cookies = new Map<string, string>();
  path = '';
  page: Answer | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** As another browser has them. */
  takeCookies(other: PortalBrowser): this {
    for (const [name, value] of other.#cookies) this.#cookies.set(name, value);
    return this;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  get text(): string {
    return this.page?.text ?? '';
  }

  async open(address: string): Promise<Answer> {
    this.path = address.startsWith('/') ? address : address.slice(new URL(address).origin.length);
    return this.#keep(await this.#client.get(this.path, { headers: this.#headers }));
  }

  /** Sends a form to the page that is shown, or to another of its address. */
  async send(fields: Record<string, string> = {}, to?: string, more: OutgoingHttpHeaders = {}): Promise<Answer> {
    const [, form_token = ''] = /name="form_token" value="([^"]*)"/.exec(this.text) ?? [];
    const body = new URLSearchParams({ form_token, ...fields }).toString();
    const headers = { ...this.#headers, 'Sec-Fetch-Site': 'same-origin', Origin: 'null', ...more };
    return this.#keep(await this.#client.form((to ?? this.path).split(/[?#]/)[0]!, body, headers), false);
  }

  /** Sends a form, and goes on to where it leads. */
  async press(fields: Record<string, string> = {}, to?: string): Promise<Answer> {
    const { status, headers, text } = await this.send(fields, to);
    expect(status, text).toBe(303);
    return this.open(String(headers.location).split('#')[0]!);
  }

  /** Uses a link up. */
  async signIn({ url }: { url: string }): Promise<this> {
    await this.open(url);
    await this.press();
    return this;
  }

  get #headers(): OutgoingHttpHeaders {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    return cookies.length === 0 ? {} : { Cookie: cookies.join('; ') };
  }

  #keep(answer: Answer, isShown = true): Answer {
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes('Max-Age=0')) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    if (isShown) this.page = answer;
    return answer;
  }
}
