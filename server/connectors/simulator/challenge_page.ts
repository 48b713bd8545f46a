import { moneyText } from '../../base/currency.ts';
import type { Money } from '../../base/money.ts';
import { escapeHtml } from '../../base/page.ts';
import { type FramedPage, framedPage } from './page_frame.ts';

/** A random token follows. */
export const challengePath = '/simulator/challenge/';

export type PageState = 'open' | 'approved' | 'declined' | 'refused' | 'canceled';

type Texts = Record<PageState, { title: string; words: string }>;

const over = 'There is nothing left to decide. You can close this page.';
const texts: Texts = {
  open: {
    title: 'Is this payment yours?',
    words: 'Your bank would ask you to confirm it. Choose what the cardholder does.',
  },
  approved: { title: 'You have approved this payment', words: over },
  declined: { title: 'Your bank has declined this payment', words: 'You had approved it. You can close this page.' },
  refused: { title: 'You have refused this payment', words: over },
  canceled: { title: 'This payment was canceled', words: over },
};

const setupTexts: Texts = {
  open: {
    title: 'May the shop charge this card later?',
    words: 'Your bank would ask you to confirm the card. Nothing is charged now. Choose what the cardholder does.',
  },
  approved: { title: 'You have confirmed this card', words: over },
  declined: { title: 'Your bank has declined this card', words: 'You had confirmed it. You can close this page.' },
  refused: { title: 'You have refused later charges of this card', words: over },
  canceled: { title: 'Confirming this card was canceled', words: over },
};

const buttons = `<form method="post">
<button class="first" type="submit" name="decision" value="approve">Approve</button>
<button class="second" type="submit" name="decision" value="refuse">Refuse</button>
</form>`;

/** Without money it is about a setup. */
export function challengePage(state: PageState, money: Money | undefined): FramedPage {
  const { title, words } = (money === undefined ? setupTexts : texts)[state];
  const amount = money === undefined ? '' : `<p class="amount">${escapeHtml(moneyText(money))}</p>`;
  const body = `${amount}
<p class="quiet">${words}</p>
${state === 'open' ? buttons : ''}`;
  return framedPage({ title, body });
}
