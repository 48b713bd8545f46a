import { moneyText } from '../../base/currency.ts';
import type { Money } from '../../base/money.ts';
import { escapeHtml, type Page } from '../../base/page.ts';
import type { ConnectorTools } from '../registration.ts';
import { answerWith, missingPage } from './page.ts';
import { type FramedPage, framedPage } from './page_frame.ts';
import { type BankAnswer, isPayCard, type PayCard, type PayState, payCards } from './pay_decision.ts';
import type { PayPages, PayView } from './pay_pages.ts';
import { payPath } from './pay_path.ts';

/**
 * Where a cardholder chooses a test card and pays, in place of a processor's own page. The address is the permission: it contains a random
 * token for one payment. A customer who goes back without having paid can come again while the page lives.
 */
export function payPage(pages: PayPages, report: ConnectorTools['report']): Page {
  const show = async (token: string, status: number) => {
    const view = await pages.show(token);
    return view === undefined ? missingPage : answerWith(status, drawPage(view));
  };
  const pay = async (token: string, body: Buffer) => {
    const sent = new URLSearchParams(body.toString('latin1'));
    const [card, answer] = [sent.get('card') ?? '', sent.get('decision')];
    if (!isPayCard(card)) return show(token, 400);
    const bankAnswer: BankAnswer = answer === 'approve' || answer === 'refuse' ? answer : undefined;
    const paid = await pages.pay(token, card, bankAnswer);
    if (paid === undefined) return missingPage;
    if ('asks' in paid) return answerWith(200, drawPage(paid.asks, card));
    // The payment is updated before the cardholder goes back.
    await report(paid.notice);
    return paid.returnUrl === undefined ? show(token, 200) : answerWith(303, undefined, { Location: paid.returnUrl });
  };
  return {
    path: `${payPath}:token`,
    counted: true,
    methods: ['GET', 'HEAD', 'POST'],
    render: ({ method, params: { token = '' }, body }) => (method === 'POST' ? pay(token, body) : show(token, 200)),
  };
}

const over: Record<Exclude<PayState, 'open'>, string> = {
  paid: 'This is paid',
  declined: 'Your bank has declined this',
  canceled: 'This was canceled',
  expired: 'The time to pay here is over',
};

/** `asked`: the card whose bank wants an answer first. */
function drawPage({ state, lines, money, returnUrl }: PayView, asked?: PayCard): FramedPage {
  const amount = money === undefined ? '' : `<p class="amount">${escapeHtml(moneyText(money))}</p>`;
  const back =
    returnUrl === undefined ? '' : `<p class="cancel"><a href="${escapeHtml(returnUrl)}">Back to the shop</a></p>`;
  if (state !== 'open') return framedPage({ title: over[state], body: `${amount}${back}` });
  if (asked !== undefined) return framedPage({ title: 'Is this yours?', body: `${amount}${bankForm(asked)}${back}` });
  const list = lines.map(
    ({ name, quantity }) => `<li><span class="name">${quantity} × ${escapeHtml(name)}</span></li>`,
  );
  const title = money === undefined ? 'Choose a test card to keep' : 'Choose a test card to pay with';
  const summary = `${amount}<ul class="lines">${list.join('')}</ul>`;
  return framedPage({ title, summary, body: `${cardForm(money)}${back}` });
}

function cardForm(money: Money | undefined): string {
  const cards = Object.entries(payCards).map(
    ([name, words], at) =>
      `<div class="choice"><input type="radio" id="${name}" name="card" value="${name}"${at === 0 ? ' checked' : ''}><label for="${name}"><span>${markOf(words)}${escapeHtml(words)}</span></label></div>`,
  );
  const label = money === undefined ? 'Keep this card' : `Pay ${escapeHtml(moneyText(money))}`;
  return `<form method="post"><fieldset class="choices"><legend class="unseen">Test card</legend>${cards.join('')}</fieldset>
<button class="first" type="submit" name="action" value="pay">${label}</button></form>`;
}

/** A small picture of the brand that a text begins with. */
function markOf(words: string): string {
  const brand = words.startsWith('American Express') ? 'amex' : words.split(' ')[0]!.toLowerCase();
  return `<span class="mark ${brand}" aria-hidden="true"></span>`;
}

const bankForm = (
  card: PayCard,
) => `<p class="quiet">Your bank would ask you to confirm it. Choose what the cardholder does.</p>
<form method="post"><input type="hidden" name="card" value="${card}">
<button class="first" type="submit" name="decision" value="approve">Approve</button>
<button class="second" type="submit" name="decision" value="refuse">Refuse</button></form>`;
