import { type ApiClient, ApiFailure } from '../api/client.ts';
import { exitCodes } from '../usage.ts';

/**
 * Presses the button on the page of a checkout session, as its customer does. What is charged is a card that the customer has saved: the
 * page takes it whichever way it takes others.
 */
export async function payOnPage(client: ApiClient, url: string, paymentMethod: string): Promise<void> {
  const { pathname } = new URL(url);
  const shown = await client.page(pathname);
  const cookie = shown.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(shown.body) ?? [];
  const pressed = await client.page(pathname, { cookie, form: { form_token, act: 'pay', method: paymentMethod } });
  if (pressed.status !== 303)
    throw new ApiFailure(`The page ${url} did not take the card (status ${pressed.status})`, exitCodes.failed);
}
