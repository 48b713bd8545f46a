import { escapeHtml } from '../../../base/page.ts';
import type { PortalWording } from '../../../locales/portal_wording.ts';
import type { PortalSettings } from '../../../operations/portal_settings.ts';
import type { JobServices } from '../../../operations/resource.ts';
import type { ShownToCustomers } from '../../people/branding/shown.ts';
import type { PortalCalls, SignedInCustomer } from './calls.ts';

/** A request by a customer who has signed in, and what its page is made from. */
export type PortalVisit = {
  who: SignedInCustomer;
  calls: PortalCalls;
  reads: JobServices['reads'];
  words: PortalWording;
  merchant: ShownToCustomers;
  /** What the customer may do: nothing while the account is suspended. */
  settings: PortalSettings;
  isSuspended: boolean;
  /** Where this gateway is reached. */
  publicUrl: string;
  /** The input that every form has. */
  hidden: string;
};

/** A page within the frame of the portal. */
export type PortalContent = { title: string; content: string; status?: number };

/** Where the customer goes on: whatever was sent, the next request is a GET. */
export type Onwards = { goTo: string };

/** Undefined: there is no such page, which is the same for what is not the customer's own, and for what is not allowed. */
export type View = {
  show(visit: PortalVisit, id: string, query: URLSearchParams): Promise<PortalContent | undefined>;
  act?(visit: PortalVisit, id: string, form: URLSearchParams): Promise<PortalContent | Onwards | undefined>;
};

/** Nothing may be done. */
export const nothingAllowed: PortalSettings = {
  add_method: false,
  remove_method: false,
  default_method: false,
  cancel: 'off',
  pause: false,
  resume: false,
  change_price: [],
  change_quantity: false,
  edit_details: false,
};

/** A form of one button. `label` is HTML. */
export function buttonForm(
  { hidden }: Pick<PortalVisit, 'hidden'>,
  path: string,
  label: string,
  {
    look = 'plain',
    fields = {},
  }: { look?: 'plain' | 'first' | 'second'; fields?: Readonly<Record<string, string>> } = {},
): string {
  return `<form method="post" action="${escapeHtml(path)}">${hidden}${inputs(fields)}<button class="${look}">${label}</button></form>`;
}

export function inputs(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
}

/** A question with the button that says yes, and the way back. `text` and `label` are HTML. */
export function question(
  visit: Pick<PortalVisit, 'hidden' | 'words' | 'who'>,
  path: string,
  { text, label, inner = '', back = visit.who.base }: { text: string; label?: string; inner?: string; back?: string },
): string {
  const { hidden, words } = visit;
  const button = `<button class="first">${label ?? words.text('confirm')}</button>`;
  return `${text}<form method="post" action="${escapeHtml(path)}">${hidden}${inner}${button}</form>${wayBack(words, back)}`;
}

export function wayBack(words: PortalWording, path: string): string {
  return `<p class="cancel"><a href="${escapeHtml(path)}">${words.text('account')}</a></p>`;
}

/** What went wrong, before everything else. */
export function trouble(texts: readonly string[]): string {
  return `<div class="trouble" id="trouble" role="alert" tabindex="-1" autofocus>${texts.map((text) => `<p>${text}</p>`).join('')}</div>`;
}
