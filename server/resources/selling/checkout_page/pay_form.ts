import { escapeHtml } from '../../../base/page.ts';
import { countriesIn, laterIn } from '../../../locales/formats.ts';
import type { TextKey } from '../../../locales/texts.ts';
import type { Wording } from '../../../locales/words.ts';
import { FieldMaker, labelOf } from './fields.ts';
import { hasPassed } from './read_form.ts';
import { amountOf } from './summary.ts';
import type { PageView, PayWay, SavedCard, ShownProblem, TypedValues } from './view.ts';

export type FormState = {
  /** The inputs that every form of the page has. */
  hidden: string;
  problems: readonly ShownProblem[];
  typed: TypedValues;
  /** Something failed that no field is the cause of. */
  hasFailed?: boolean;
  now: number;
};

const declineTexts = {
  declined: 'declined',
  expired: 'card_expired',
  wrong_code: 'code_invalid',
  try_another: 'try_another',
} as const satisfies Record<string, TextKey>;

/** The form that the customer pays with. */
export function payForm(view: PageView, words: Wording, state: FormState): string {
  const fields = new FieldMaker(words, state.problems);
  const section = (heading: TextKey, content: string, id = '') =>
    content === '' ? '' : `<section${id}><h2>${words.html(heading)}</h2>${content}</section>`;
  return `${trouble(view, words, state)}
<form id="pay" method="post" action="" data-texts='${textsForScript(view, words)}'>${state.hidden}<input type="hidden" name="act" value="pay">
${section('contact', contact(view, words, fields, state.typed))}
${section('payment_method', methods(view, words, fields, state.now), ' id="method"')}
${section('billing_address', address(view, words, fields, state.typed))}
${agreements(view, words, fields)}
<button class="first" id="pay-button">${shownTotal(view)}${buttonText(view, words)}${leadsOn(view)}</button>
<p id="doing" class="unseen" role="status"></p></form>
${cancelLink(view, words)}
${expiryNote(view, words, state.now)}`;
}

/** What the script announces two minutes before the end, or at once where less is left. */
function expiryNote({ expiresAt }: PageView, words: Wording, now: number): string {
  const left = expiresAt - now;
  const when = laterIn(words.locale, Math.min(120, Math.ceil(left / 1_000)));
  const warning = escapeHtml(words.plain('expires', { when }));
  return `<p id="expiry-note" class="note" role="status" data-left="${left}" data-warning="${warning}"></p>`;
}

/** What went wrong, above everything else. It takes the focus; each entry leads to its field. */
function trouble(view: PageView, words: Wording, { problems, hasFailed }: FormState): string {
  const { lastTry } = view;
  const decline = lastTry.state === 'declined' && problems.length === 0 ? declineTexts[lastTry.reason] : undefined;
  const sentences: TextKey[] = [];
  if (hasFailed === true) sentences.push('failed');
  else if (decline !== undefined)
    sentences.push(decline, ...(decline === 'try_another' ? [] : (['try_another'] as const)));
  const links = problems.map(
    ({ field, text }) => `<li><a href="#${field}">${words.html(labelOf[field])}: ${words.html(text)}</a></li>`,
  );
  const isEmpty = sentences.length === 0 && links.length === 0;
  const list = links.length === 0 ? '' : `<p><strong>${words.html('problem')}</strong></p><ul>${links.join('')}</ul>`;
  const code = decline === 'code_invalid' ? `${words.html('security_code')}: ` : '';
  const said = sentences.length === 0 ? '' : `<p>${code}${sentences.map((key) => words.html(key)).join(' ')}</p>`;
  const focus = isEmpty ? ' hidden' : ' autofocus';
  return `<div id="trouble" class="trouble" role="alert" tabindex="-1" data-heading="${escapeHtml(words.plain('problem'))}"${focus}>${said}${list}</div>`;
}

/** What the script says beside a field, and to a screen reader while the button is busy. */
function textsForScript(view: PageView, words: Wording): string {
  const texts = {
    required: words.plain('required'),
    invalid: words.plain('invalid'),
    expired: words.plain('card_expired'),
    doing: words.plain(titleOf(view, 'confirming')),
  };
  return escapeHtml(JSON.stringify(texts)).replaceAll("'", '&#39;');
}

function contact({ collects, details }: PageView, words: Wording, fields: FieldMaker, typed: TypedValues): string {
  const email = { name: 'email', label: 'email', type: 'email', inputmode: 'email', autocomplete: 'email' } as const;
  const phone = { name: 'phone', label: 'phone', type: 'tel', inputmode: 'tel', autocomplete: 'tel' } as const;
  const name = { name: 'name', label: 'full_name', autocomplete: 'name' } as const;
  // One that is known is shown: the customer sees where a receipt would go.
  const known = details?.email === undefined ? '' : knownEmail(details.email, words);
  return [
    collects.email ? fields.input({ ...email, maxlength: 254, value: typed.email, isLatin: true }) : known,
    collects.name ? fields.input({ ...name, maxlength: 256, value: typed.name }) : '',
    collects.phone ? fields.input({ ...phone, maxlength: 32, value: typed.phone, isLatin: true }) : '',
  ].join('');
}

function knownEmail(email: string, words: Wording): string {
  return `<p class="known"><span class="quiet">${words.html('email')}</span> <bdi>${escapeHtml(email)}</bdi></p>`;
}

function methods(view: PageView, words: Wording, fields: FieldMaker, now: number): string {
  if (view.total === 0 && view.mode === 'payment') return '';
  const [way] = view.ways;
  const fresh = way === undefined ? '' : newMethod(way, words, fields);
  if (view.saved.length === 0) return fresh;
  // One that has expired comes last, and is not chosen for the customer.
  const [old, good] = [true, false].map((is) => view.saved.filter((card) => hasPassed(card, now) === is));
  const saved = [...good!, ...old!].map((card, at) => choice(card.id, cardHtml(card), at === 0 && good!.length > 0));
  if (way === undefined) return `<div class="choices">${saved.join('')}</div>`;
  // The radio button of another card comes last; what belongs to it is shown while it is chosen.
  return `<div class="choices">${saved.join('')}${choice('new', words.html('another_way'), good!.length === 0)}</div><div class="new">${fresh}</div>`;
}

function choice(value: string, label: string, isChosen: boolean): string {
  const id = `method-${escapeHtml(value)}`;
  return `<div class="choice"><input type="radio" id="${id}" name="method" value="${escapeHtml(value)}"${isChosen ? ' checked' : ''}><label for="${id}">${label}</label></div>`;
}

function cardHtml({ brand, last4, expMonth, expYear }: SavedCard): string {
  const expiry = `${String(expMonth).padStart(2, '0')}/${String(expYear).slice(-2)}`;
  return `<span>${brandMark(brand)}${cardName(brand, last4)}</span> <span class="quiet" dir="ltr">${expiry}</span>`;
}

/** A small picture of the brand: its name stands beside it. */
export function brandMark(brand: string | undefined): string {
  return brand === undefined || brandNames[brand] === undefined
    ? ''
    : `<span class="mark ${brand}" aria-hidden="true"></span>`;
}

export function cardName(brand: string | undefined, last4: string | undefined): string {
  const name = brand === undefined ? '' : (brandNames[brand] ?? brand);
  return `<bdi>${escapeHtml([name, last4 === undefined ? '' : `•••• ${last4}`].filter(Boolean).join(' '))}</bdi>`;
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

function newMethod(way: PayWay, words: Wording, fields: FieldMaker): string {
  if (way.kind === 'own') return `<input type="hidden" name="way" value="own">${ownFields(words, fields)}`;
  if (way.kind === 'page') return '<input type="hidden" name="way" value="page">';
  // Without the processor's script, the same button leads to the processor's page.
  const config = escapeHtml(JSON.stringify(way.publicConfig)).replaceAll("'", '&#39;');
  return `<input type="hidden" name="way" value="page" id="way"><input type="hidden" name="confirmation" id="confirmation">
<div id="fields" data-script="${escapeHtml(way.script)}" data-config='${config}'></div>`;
}

/** Another card is asked for on the page of the processor, to which the button leads. The style hides it while the fields can come. */
function leadsOn({ ways: [way], total, mode }: PageView): string {
  if (way === undefined || way.kind === 'own' || (total === 0 && mode === 'payment')) return '';
  return '<svg class="onwards" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M9 5h10v10M19 5 6 18"/></svg>';
}

function ownFields(words: Wording, fields: FieldMaker): string {
  const digits = { inputmode: 'numeric', isLatin: true } as const;
  const number = fields.input({
    ...digits,
    name: 'number',
    label: 'card_number',
    autocomplete: 'cc-number',
    maxlength: 29,
    placeholder: '1234 1234 1234 1234',
  });
  const expiry = fields.input({
    ...digits,
    name: 'expiry',
    label: 'expiry',
    autocomplete: 'cc-exp',
    maxlength: 9,
    placeholder: words.plain('month_year'),
  });
  const cvc = fields.input({
    ...digits,
    name: 'cvc',
    label: 'security_code',
    autocomplete: 'cc-csc',
    maxlength: 4,
    placeholder: 'CVC',
  });
  return `<div class="card">${number}<div class="pair">${expiry}${cvc}</div></div>`;
}

function address({ collects }: PageView, words: Wording, fields: FieldMaker, typed: TypedValues): string {
  const { billingAddress = 'none' } = collects;
  if (billingAddress === 'none') return '';
  const country = typed.country ?? countryOf(words.locale.region);
  const options = countriesIn(words.locale).map(
    ({ code, name }) => `<option value="${code}"${code === country ? ' selected' : ''}>${escapeHtml(name)}</option>`,
  );
  const select = fields.select(
    'country',
    'country',
    'billing country',
    `<option value=""></option>${options.join('')}`,
  );
  if (billingAddress === 'country') return select;
  const line = fields.input({
    name: 'line1',
    label: 'address',
    autocomplete: 'billing street-address',
    maxlength: 256,
    value: typed.line1,
  });
  // Some countries have no postal codes.
  const code = fields.input({
    name: 'postal_code',
    label: 'postal_code',
    autocomplete: 'billing postal-code',
    maxlength: 16,
    value: typed.postal_code,
    isRequired: false,
  });
  const city = fields.input({
    name: 'city',
    label: 'city',
    autocomplete: 'billing address-level2',
    maxlength: 128,
    value: typed.city,
  });
  return `${select}${line}<div class="pair">${code}${city}</div>`;
}

function countryOf(region: string): string | undefined {
  return new Intl.Locale(region).region;
}

function agreements(view: PageView, words: Wording, fields: FieldMaker): string {
  const merchant = { merchant: view.merchant.name };
  const keeps = view.save === 'require' || view.mode !== 'payment';
  const { termsUrl } = view.merchant;
  const terms = termsUrl === undefined ? '' : readingLink(termsUrl, words.html('terms'));
  return [
    view.save === 'offer' && view.mode === 'payment' ? fields.checkbox('save', words.html('save_offer'), false) : '',
    keeps ? `<p class="agree">${words.html('save_notice', merchant)}</p>` : '',
    view.collects.terms ? fields.checkbox('terms', words.html('accept_terms', merchant), true, terms) : '',
  ].join('');
}

/** In the button, whose content the script replaces with the sums: what is charged is what was shown, or nothing. */
function shownTotal({ total }: PageView): string {
  return `<input type="hidden" name="total" value="${total}">`;
}

export function buttonText(view: PageView, words: Wording): string {
  if (view.mode === 'setup') return words.html('save_card');
  if (view.mode === 'subscription') return words.html('subscribe');
  return words.html('pay', { amount: '\u0000' }).replace('<bdi>\u0000</bdi>', amountOf(view, words));
}

/** Nothing is paid now: a card is kept. */
export const isFree = ({ mode, total }: PageView) => mode !== 'payment' && total === 0;

/** The heading of a state that is not over. Where nothing is paid now, it says what the customer is about to do. */
export function titleOf(view: PageView, state: 'confirming' | 'unfinished'): TextKey {
  if (!isFree(view)) return state;
  return view.mode === 'setup' ? 'save_card' : 'subscribe';
}

/** A text to read beside the form, in another tab: what was typed stays. */
export function readingLink(href: string, html: string): string {
  return `<a href="${escapeHtml(href)}" target="_blank" rel="noreferrer">${html}</a>`;
}

export function cancelLink({ cancelUrl, merchant }: Pick<PageView, 'cancelUrl' | 'merchant'>, words: Wording): string {
  if (cancelUrl === undefined) return '';
  return `<p class="cancel"><a href="${escapeHtml(cancelUrl)}" rel="noreferrer">${words.html('back', { merchant: merchant.name })}</a></p>`;
}
