import { type Agent, fetch as fetchWith } from 'undici';

/** A customer at the page of a checkout session, with a browser that knows no JavaScript. */

/** A card as it is typed into our own fields. */
export const typedCard = (number: string) => ({ email: 'ada@example.com', number, expiry: '12/40', cvc: '123' });

export type Pressed = { status: number; location: string | null; body: string };

/** Opens the page, fills in its form and presses the button. */
export async function pressPay(url: string, fields: Record<string, string>, dispatcher: Agent): Promise<Pressed> {
  const shown = await fetchWith(url, { dispatcher });
  const [, form_token] = /name="form_token" value="([^"]+)"/.exec(await shown.text()) ?? [];
  if (form_token === undefined) throw new Error(`${url} has no form (status ${shown.status})`);
  const Cookie = shown.headers.getSetCookie()[0]!.split(';')[0]!;
  const body = new URLSearchParams({ form_token, act: 'pay', ...fields });
  const pressed = await fetchWith(url, { method: 'POST', headers: { Cookie }, body, redirect: 'manual', dispatcher });
  const location = pressed.headers.get('Location');
  return {
    status: pressed.status,
    location: location === null ? null : new URL(location, url).href,
    body: await pressed.text(),
  };
}

/** Decides on a challenge as the cardholder; returns where the gateway sends the browser in the end. */
export async function decideOn(challenge: string, decision: 'approve' | 'refuse', dispatcher: Agent): Promise<string> {
  const form = { method: 'POST', body: new URLSearchParams({ decision }) };
  const decided = await fetchWith(challenge, { ...form, redirect: 'manual', dispatcher });
  let next = decided.headers.get('Location')!;
  while (new URL(next).origin === new URL(challenge).origin) {
    const answer = await fetchWith(next, { redirect: 'manual', dispatcher });
    const location = answer.headers.get('Location');
    if (location === null) return next;
    next = new URL(location, next).href;
  }
  return next;
}
